#include "view/server.h"

#if FV_HAVE_MICROHTTPD
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define CONNECTIONS 256             /* maximum number of connections at a time */
#define STRANGERS (CONNECTIONS / 2) /* maximum number of connections that have not shown the token */
#define SECONDS 30                  /* seconds of silence after which a connection is closed */
#define SECONDS_OF_STRANGERS 2      /* seconds of silence after which a connection without the token is closed */

struct ViewServer {
    struct MHD_Daemon *daemon;
    const View *view;
    pthread_mutex_t lock;               /* protects the list of strangers */
    int stranger[STRANGERS], strangers; /* `stranger`: sockets of connections that have not shown the token, the
                                           oldest first; `strangers`: their number */
};

bool view_server_exists(void)
{
    return true;
}

/* Discards libmicrohttpd's log: it reports errors of clients, which do not concern the user. */
static void discard_log(void *opaque, const char *format, va_list arguments)
{
}

static const char *argument_of(void *opaque, const char *name)
{
    return MHD_lookup_connection_value(opaque, MHD_GET_ARGUMENT_KIND, name);
}

static void add_headers(struct MHD_Response *response, const ViewAnswer *answer)
{
    MHD_add_response_header(response, "Content-Type", answer->type);
    MHD_add_response_header(response, "Content-Security-Policy",
                            *answer->policy ? answer->policy : "default-src 'none'");
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    if (*answer->tag) {
        MHD_add_response_header(response, "ETag", answer->tag);
        MHD_add_response_header(response, "Cache-Control", "private, no-cache");
    } else
        MHD_add_response_header(response, "Cache-Control", "no-store");
    if (answer->status == 405)
        MHD_add_response_header(response, "Allow", "GET, HEAD");
}

/* ---- Strangers ------------------------------------------------------------------------------------------------- */

static int socket_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/* Removes a socket from the list of strangers. The caller holds the lock. */
static void remove_stranger(ViewServer *server, int fd)
{
    for (int i = 0; i < server->strangers; i++)
        if (server->stranger[i] == fd) {
            server->strangers--;
            memmove(&server->stranger[i], &server->stranger[i + 1], (size_t)(server->strangers - i) * sizeof fd);
        }
}

/*
 * Adds a new connection to the strangers, or removes one that ends. If the list is full, closes the oldest stranger,
 * so that strangers cannot keep others out.
 */
static void on_connection(void *opaque, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode code)
{
    ViewServer *server = opaque;
    const int fd = socket_of(connection);
    pthread_mutex_lock(&server->lock);
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        if (server->strangers == STRANGERS) {
            shutdown(server->stranger[0], SHUT_RDWR);
            remove_stranger(server, server->stranger[0]);
        }
        server->stranger[server->strangers++] = fd;
    } else
        remove_stranger(server, fd);
    pthread_mutex_unlock(&server->lock);
}

static void accept_token(ViewServer *server, struct MHD_Connection *connection)
{
    pthread_mutex_lock(&server->lock);
    remove_stranger(server, socket_of(connection));
    pthread_mutex_unlock(&server->lock);
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)SECONDS);
}

/* ---- Requests -------------------------------------------------------------------------------------------------- */

static enum MHD_Result count_host(void *count, enum MHD_ValueKind kind, const char *key, const char *value)
{
    *(int *)count += !strcasecmp(key, "Host");
    return MHD_YES;
}

/* Returns the Host header; NULL unless there is exactly one, because a proxy may have checked another. */
static const char *host_of(struct MHD_Connection *connection)
{
    int count = 0;
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_host, &count);
    return count == 1 ? MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host") : NULL;
}

static enum MHD_Result on_request(void *opaque, struct MHD_Connection *connection, const char *url,
                                  const char *method, const char *version, const char *upload, size_t *upload_size,
                                  void **state)
{
    static int begun;
    ViewServer *server = opaque;
    if (!*state) { /* first call: libmicrohttpd has read the header only; the body that follows is discarded */
        *state = &begun;
        if (view_answer_admits(server->view, host_of(connection), url))
            accept_token(server, connection);
        return MHD_YES;
    }
    if (*upload_size) {
        *upload_size = 0;
        return MHD_YES;
    }
    ViewRequest request = {.method = method,
                           .path = url,
                           .host = host_of(connection),
                           .tag = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "If-None-Match"),
                           .argument = argument_of,
                           .opaque = connection};
    ViewAnswer answer;
    view_answer(server->view, &request, &answer);
    struct MHD_Response *response = MHD_create_response_from_buffer(
        answer.size, answer.body, answer.body ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (!response) {
        free(answer.body);
        return MHD_NO;
    }
    add_headers(response, &answer);
    enum MHD_Result result = MHD_queue_response(connection, (unsigned)answer.status, response);
    MHD_destroy_response(response);
    return result;
}

static FvStatus fail_start(FvError *error, FvStatus status, const char *address, int port, const char *why)
{
    *error = (FvError){.status = status};
    snprintf(error->message, sizeof error->message, "cannot listen on %.100s, port %d: %s", address, port, why);
    return status;
}

FvStatus view_server_open(ViewServer **server, const View *view, const char *address, int *port, FvError *error)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)*port)};
    const bool six = inet_pton(AF_INET6, address, &v6.sin6_addr) == 1;
    *server = NULL;
    if (!six && inet_pton(AF_INET, address, &v4.sin_addr) != 1)
        return fail_start(error, FV_ERROR_USAGE, address, *port,
                          "an address of numbers is needed, such as 127.0.0.1");
    ViewServer *made = calloc(1, sizeof *made);
    if (!made)
        return fail_start(error, FV_ERROR_MEMORY, address, *port, "out of memory");
    made->view = view;
    pthread_mutex_init(&made->lock, NULL);
    errno = 0;
    made->daemon = MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD |
                                        MHD_USE_ERROR_LOG | (six ? MHD_USE_IPv6 : 0),
                                    0, NULL, NULL, on_request, made, MHD_OPTION_EXTERNAL_LOGGER, discard_log, NULL,
                                    MHD_OPTION_SOCK_ADDR, six ? (struct sockaddr *)&v6 : (struct sockaddr *)&v4,
                                    MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
                                    (unsigned)SECONDS_OF_STRANGERS, MHD_OPTION_NOTIFY_CONNECTION, on_connection, made,
                                    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)32768, MHD_OPTION_END);
    const union MHD_DaemonInfo *info =
        made->daemon ? MHD_get_daemon_info(made->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info) {
        view_server_close(&made);
        return fail_start(error, FV_ERROR_OUTPUT, address, *port,
                          errno ? strerror(errno) : "libmicrohttpd gives no reason");
    }
    *port = info->port;
    *server = made;
    return FV_OK;
}

void view_server_close(ViewServer **server)
{
    if (!*server)
        return;
    if ((*server)->daemon)
        MHD_stop_daemon((*server)->daemon);
    pthread_mutex_destroy(&(*server)->lock);
    free(*server);
    *server = NULL;
}
#else
bool view_server_exists(void)
{
    return false;
}

FvStatus view_server_open(ViewServer **server, const View *view, const char *address, int *port, FvError *error)
{
    *server = NULL;
    *error = (FvError){.status = FV_ERROR_USAGE, .message = "this build has no libmicrohttpd"};
    return FV_ERROR_USAGE;
}

void view_server_close(ViewServer **server)
{
    *server = NULL;
}
#endif
