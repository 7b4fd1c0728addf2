/* Stores pictures of frames, the npm package and the command for the report page of a session. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/state.h"

#define MOST_PICTURES 1000
#define MOST_BYTES (16 << 20)

static void free_picture(FvReportPicture *picture)
{
    free((char *)picture->name);
    free((char *)picture->unit);
    free((void *)picture->png);
    free((void *)picture->colours);
}

void fv_session_free_pictures(FvSession *session)
{
    for (int i = 0; i < session->facts.picture_count; i++)
        free_picture(&session->facts.pictures[i]);
    free(session->facts.pictures);
    session->facts.pictures = NULL;
    session->facts.picture_count = 0;
    free(session->facts.package);
    session->facts.package = NULL;
    free(session->facts.command);
    session->facts.command = NULL;
}

static void *copy(const void *bytes, size_t size)
{
    void *made = malloc(size);
    if (made)
        memcpy(made, bytes, size);
    return made;
}

static bool is_good(const FvReportPicture *picture)
{
    return picture->name && picture->png && picture->bytes && picture->bytes <= MOST_BYTES && picture->x >= 0 &&
           picture->y >= 0 && picture->width > 0 && picture->height > 0 && picture->scale > 0 &&
           picture->colour_count >= 0 && picture->colour_count <= 256 && (picture->colours || !picture->colour_count);
}

FvStatus fv_session_add_picture(FvSession *session, const FvReportPicture *picture, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, picture);
    if (!session->scores.columns)
        return fv_fail(error, FV_ERROR_USAGE, "fv_session_add_picture: the session has not been started");
    if (!is_good(picture) || session->facts.picture_count == MOST_PICTURES)
        return fv_fail(
            error, FV_ERROR_USAGE,
            "fv_session_add_picture: the picture lacks a name, a file, a size or a scale, is too large, or "
            "follows %d others",
            session->facts.picture_count);
    const size_t room = (size_t)(session->facts.picture_count + 1) * sizeof *session->facts.pictures;
    FvReportPicture *grown = realloc(session->facts.pictures, room), made = *picture;
    if (!grown)
        return fv_fail_memory(error, room);
    session->facts.pictures = grown;
    made.name = strdup(picture->name);
    made.unit = picture->unit ? strdup(picture->unit) : NULL;
    made.png = copy(picture->png, picture->bytes);
    made.colours = picture->colour_count ? copy(picture->colours, 3 * (size_t)picture->colour_count) : NULL;
    if (!made.name || (picture->unit && !made.unit) || !made.png || (picture->colour_count && !made.colours)) {
        free_picture(&made);
        return fv_fail_memory(error, picture->bytes);
    }
    session->facts.pictures[session->facts.picture_count++] = made;
    return FV_OK;
}

FvStatus fv_session_embed(FvSession *session, const void *package, size_t bytes, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, package);
    if (!bytes || bytes > MOST_BYTES)
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_session_embed: a package of %zu bytes is empty or larger than 16 MiB", bytes);
    void *made = copy(package, bytes);
    if (!made)
        return fv_fail_memory(error, bytes);
    free(session->facts.package);
    session->facts.package = made;
    session->facts.package_bytes = bytes;
    return FV_OK;
}

FvStatus fv_session_set_command(FvSession *session, const char *command, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, command);
    char *made = strdup(command);
    if (!made)
        return fv_fail_memory(error, strlen(command) + 1);
    free(session->facts.command);
    session->facts.command = made;
    return FV_OK;
}
