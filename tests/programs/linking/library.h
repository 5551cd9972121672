int library_sum(int n);
