/* Text in XML. */
#ifndef WM_REPORT_XML_H
#define WM_REPORT_XML_H

#include <stdio.h>

/* Writes the text so that it is text only, in elements and in attributes. What XML cannot hold
 * (control characters, bytes that are not UTF-8) becomes U+FFFD. */
void wm_xml_put_text(const char *text, FILE *out);

#endif
