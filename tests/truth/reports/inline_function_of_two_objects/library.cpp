#include "order.h"

int library_number = 3;
