/* No name of its own: taken from the archive only by programs built without --file. */
__attribute__((visibility("hidden"))) const char __waymark_file_name[] = "";
