#pragma once

#include_next <locale.h>
#include <xlocale.h>
