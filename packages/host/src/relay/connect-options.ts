import type { ConnectOptions } from '@trunkline/mcp'
import { apps } from '@trunkline/mcp/apps'
import { tasks } from '@trunkline/mcp/tasks'
import { listedExtensions } from '../catalogue/learn.ts'
import { declaredToServers, type ServerQuestions } from './server-questions.ts'
import { keptContract } from './terms/signal-method.ts'

/** Follows the tasks of servers, whose ids never leave the host. */
const serverTasks = tasks()

/** The console shows views, and clients of one server may. */
const shownViews = apps()

/** Options of connections to a server, so that its questions and logs reach the caller they are for. */
export function connectOptions(questions: ServerQuestions): ConnectOptions {
  return {
    extensions: [serverTasks, shownViews, keptContract, ...listedExtensions],
    relay: { capabilities: declaredToServers, answer: questions.answer.bind(questions) },
    logLevel: 'debug',
    onLog: (message, during) => questions.log(message, during.context),
  }
}
