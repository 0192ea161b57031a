import type { ConnectOptions } from '@trunkline/mcp'
import { apps } from '@trunkline/mcp/apps'
import { tasks } from '@trunkline/mcp/tasks'
import { listedExtensions } from '../catalogue/learn.ts'
import { keptContract } from '../terms/signal-method.ts'
import { declaredToServers, type ServerAsks } from './server-asks.ts'

/** Follows the tasks of servers, whose ids never leave the host. */
const serverTasks = tasks()

/** The console shows views, and clients of one server may. */
const shownViews = apps()

/** How the host connects to a server, so that what the server asks and logs reaches the caller it is for. */
export function connectOptions(asks: ServerAsks): ConnectOptions {
  return {
    extensions: [serverTasks, shownViews, keptContract, ...listedExtensions],
    relay: { capabilities: declaredToServers, answer: asks.answer.bind(asks) },
    logLevel: 'debug',
    onLog: (message, during) => asks.log(message, during.context),
  }
}
