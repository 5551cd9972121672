/* The empty default name. Only programs built without --file take it from the archive. */
__attribute__((visibility("hidden"))) const char __waymark_file_name[] = "";
