/* Translates failures of Windows calls to errno. */
#pragma once

/* Sets errno after the failure of a call that GetLastError() explains; returns -1. */
int fv_windows_fail(void);
