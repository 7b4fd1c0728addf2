/*
 * Preloaded in sanitized builds: libraries stay mapped, so that the leak checker can name those that leave memory
 * behind (graphics drivers do), and still reaches what their globals point to.
 */
int dlclose(void *library);
int dlclose(void *library)
{
    return 0;
}
