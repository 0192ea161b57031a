import type { ConnectOptions } from '@trunkline/mcp'
import { apps } from '@trunkline/mcp/apps'
import { tasks } from '@trunkline/mcp/tasks'
import type { ServerKey } from '../act/server-key.ts'
import { listedExtensions } from '../catalogue/learn.ts'
import { CallsAtServer } from './calls-at-server.ts'
import { declaredToServers, type LocalAnswers, ServerQuestions } from './server-questions.ts'
import { keptContract } from './terms/signal-method.ts'
import type { SpilledAddresses } from './terms/spilled-address.ts'

/** The calls under way at every server and the answers to its questions, each server apart from the others. */
export class ServerExchanges {
  readonly #calls = new Map<ServerKey, CallsAtServer>()
  readonly #local: LocalAnswers
  readonly #spilled: SpilledAddresses

  constructor(local: LocalAnswers, spilled: SpilledAddresses) {
    this.#local = local
    this.#spilled = spilled
  }

  /** The calls under way at a server. */
  callsAt(server: ServerKey): CallsAtServer {
    const known = this.#calls.get(server)
    if (known) return known
    const calls = new CallsAtServer(server, this.#spilled)
    this.#calls.set(server, calls)
    return calls
  }

  /** Forgets a server that is gone. */
  forget(server: ServerKey): void {
    this.#calls.delete(server)
  }

  /** Options to connect to a server, so that its questions are answered. */
  connecting(server: ServerKey): ConnectOptions {
    return connectOptions(new ServerQuestions(server, this.#local, this.callsAt(server)))
  }
}

/** Follows the tasks of servers, whose ids never leave the host. */
const serverTasks = tasks()

/** The console shows views, and clients of one server may. */
const shownViews = apps()

/** Options of connections to a server, so that its questions and logs reach the caller they are for. */
function connectOptions(questions: ServerQuestions): ConnectOptions {
  return {
    extensions: [serverTasks, shownViews, keptContract, ...listedExtensions],
    relay: { capabilities: declaredToServers, answer: questions.answer.bind(questions) },
    logLevel: 'debug',
    onLog: (message, during) => questions.log(message, during.context),
  }
}
