import type { ClientHost, ClientPart, ClientStart, ConnectedPart } from '../../../client/extension.ts'
import { Pages } from '../../../client/pagination.ts'
import type { TypedResult } from '../../../client/tools.ts'
import { taskAnswerRules } from '../../../dialects/tasks/answer-rules.ts'
import { type TaskClientRules, taskClientRulesOf } from '../../../dialects/tasks/client-rules.ts'
import type { ClientCapabilities } from '../../../model/input.ts'
import type { ToolTypes } from '../../../model/server-types.ts'
import type { TaskState } from '../../../model/task.ts'
import { McpError } from '../../../wire/errors.ts'
import type { Fields } from '../../../wire/messages.ts'
import { AnswerTasks } from './answer-tasks.ts'
import type { ClientTask, TaskFollowOptions } from './client-task.ts'
import {
  type ClientTaskOptions,
  clientTaskSettings,
  type TaskCallOptions,
  type TaskStartOptions,
} from './client-task-options.ts'
import { RemoteTask } from './remote-task.ts'
import { startTool } from './start-tool.ts'
import { TaskCalls } from './task-calls.ts'
import { TaskFeed } from './task-feed.ts'

/** Additions of tasks to the tools of a client. */
export interface TaskTools<Types extends ToolTypes> {
  /** Starts a tool and resolves with a handle to it, without waiting for its result. */
  start<Name extends keyof Types & string>(
    name: Name,
    input: Types[Name]['input'],
    options?: TaskStartOptions,
  ): Promise<ClientTask<TypedResult<Types[Name]['output']>>>
}

/** The tasks of a client on its server. */
export interface ClientTasks {
  /** Attaches to a task by its id, wherever it was started; rejects when this caller has no such task. */
  attach(id: string, options?: TaskFollowOptions): Promise<ClientTask>
  /** The state of a task. */
  get(id: string): Promise<TaskState>
  /** Lists the tasks of this caller, where the server supports it. */
  list(): Pages<TaskState>
}

/** The client side of the tasks extension. */
export function taskClient(options: ClientTaskOptions, { warn }: ClientStart): ClientPart {
  const { outageMs } = clientTaskSettings(options)
  const answers = new AnswerTasks(taskAnswerRules, warn)
  return {
    capabilities: taskAnswersOf,
    callOptions: ['onTask'] satisfies (keyof TaskCallOptions)[],
    answer: answers.intercept,
    connected(host) {
      const rules = taskClientRulesOf(host.dialect)
      if (rules?.answersByTasks) answers.switchOn()
      return rules?.isOffered(host.capabilities) ? withTasks(host, rules, outageMs) : withoutTasks(host)
    },
  }
}

/** The capabilities for client tasks: all that the client declares. */
function taskAnswersOf({ sampling, elicitation }: ClientCapabilities): ClientCapabilities {
  if (!sampling && !elicitation) return {}
  const requests = {
    ...(sampling && { sampling: { createMessage: {} } }),
    ...(elicitation && { elicitation: { create: {} } }),
  }
  return { tasks: { list: {}, cancel: {}, requests } }
}

function withTasks(host: ClientHost, rules: TaskClientRules, outageMs: number): ConnectedPart {
  const feed = new TaskFeed(host, rules)
  const parts = { host, rules, feed, outageMs }
  const calls = new TaskCalls(parts)
  const get = async (id: string): Promise<TaskState> => rules.shown(await host.request('tasks/get', { taskId: id }))
  return {
    intercept: calls.intercept,
    tools: toolsOf(host, true),
    client: {
      tasks: {
        get,
        async attach(id: string, { onDispose = 'detach', ...rest }: TaskFollowOptions = {}) {
          return new RemoteTask(await get(id), parts, { onDispose, ...rest })
        },
        list: () => listTasks(host, rules),
      },
    },
    notified(method, params) {
      feed.notified(method, params)
      calls.notified(method, params)
    },
    close: () => feed.close(),
  }
}

function withoutTasks(host: ClientHost): ConnectedPart {
  const none = async (): Promise<never> => {
    throw new McpError('Unsupported', 'Cannot use tasks: the server does not offer them', { outcome: 'NotSent' })
  }
  return {
    tools: toolsOf(host, false),
    client: { tasks: { get: none, attach: none, list: () => new Pages<TaskState>('tasks', none, host.limits) } },
  }
}

function toolsOf(host: ClientHost, givesHandles: boolean): object {
  return {
    start: (name: string, input: Fields, options: TaskStartOptions = {}) =>
      startTool(host, { name, input, givesHandles }, options),
  }
}

function listTasks(host: ClientHost, rules: TaskClientRules): Pages<TaskState> {
  const fetch = async (cursor: string | undefined): Promise<Fields> => {
    const page = await host.request('tasks/list', cursor === undefined ? {} : { cursor })
    return { ...page, tasks: (page.tasks as readonly Fields[]).map((task) => rules.shown(task)) }
  }
  return new Pages<TaskState>('tasks', fetch, host.limits)
}
