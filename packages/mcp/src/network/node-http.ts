import type { IncomingMessage as Message } from 'node:http'

/**
 * `node:http` without what it loads only for an import: an import binds every export, `WebSocket` among them, and with
 * that loads the whole of undici. That takes as long as the start of Node itself.
 */
const http = process.getBuiltinModule('node:http')

export const { Agent, createServer, request } = http

/** A request that arrives, as a class to extend. */
export const IncomingMessage: typeof Message = http.IncomingMessage
