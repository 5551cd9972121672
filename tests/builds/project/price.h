#ifdef __cplusplus
extern "C"
#endif
	int
	price(int amount);
