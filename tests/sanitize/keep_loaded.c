/*
 * Preloaded in sanitized builds: keeps libraries mapped after dlclose(). The leak checker can then name libraries
 * that leak, as graphics drivers do, and reach the memory that their globals point to.
 */
int dlclose(void *library);
int dlclose(void *library)
{
    return 0;
}
