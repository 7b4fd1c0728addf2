/*
 * Preloaded in sanitized builds: it keeps libraries mapped, so that the leak checker can name those that leak memory
 * (graphics drivers do), and still reaches the memory that their globals point to.
 */
int dlclose(void *library);
int dlclose(void *library)
{
    return 0;
}
