/* The network part of a viewer's server. */
#pragma once

#include "view/answer.h"

typedef struct ViewServer ViewServer;

/* Returns whether this build has libmicrohttpd. */
bool view_server_exists(void);

/*
 * Starts to answer requests at a numeric address such as "127.0.0.1", until the server is closed. *port 0: the system
 * chooses a free port, which *port gets. The server accepts 256 connections at a time, and closes one after 30
 * seconds of silence. It closes a connection that has not sent the token after 2 seconds of silence, or earlier if
 * 128 newer ones have not sent it either. `view` must outlive the server.
 */
FvStatus view_server_open(ViewServer **server, const View *view, const char *address, int *port, FvError *error);

void view_server_close(ViewServer **server);
