/* The sockets of a viewer's server. */
#pragma once

#include "view/answer.h"

typedef struct ViewServer ViewServer;

/* Whether this build has libmicrohttpd. */
bool view_server_exists(void);

/*
 * Answers on this address, "127.0.0.1" or another one of numbers, until it is closed. port 0: any that is free; *port
 * gets it. At most 64 connections at once, each of which may be silent for 30 seconds. One that has not shown the
 * token is closed after 2 silent seconds, and earlier when 32 newer ones have not shown it either. The view outlives
 * the server.
 */
FvStatus view_server_open(ViewServer **server, const View *view, const char *address, int *port, FvError *error);

void view_server_close(ViewServer **server);
