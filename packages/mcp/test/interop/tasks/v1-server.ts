/** A program: a server of version 1 of the official SDK whose tools run as tasks, over stdio. */
import {
  InMemoryTaskMessageQueue,
  InMemoryTaskStore,
} from '@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type ElicitRequestFormParams, ElicitResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

const taskStore = new InMemoryTaskStore()
const capabilities = { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }
const cafe = new McpServer(
  { name: 'v1-tasks', version: '1' },
  { capabilities, taskStore, taskMessageQueue: new InMemoryTaskMessageQueue() },
)

const form: ElicitRequestFormParams = {
  mode: 'form',
  message: 'Who are you?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
}

type Store = { storeTaskResult(id: string, status: 'completed' | 'failed', result: object): Promise<void> }
const done = (store: Store, id: string, text: string, isError = false) =>
  store.storeTaskResult(id, isError ? 'failed' : 'completed', { content: [{ type: 'text', text }], isError })

function offer(
  name: string,
  taskSupport: 'optional' | 'required',
  work: (id: string, extra: never) => Promise<void>,
): void {
  cafe.experimental.tasks.registerToolTask(
    name,
    { inputSchema: { text: z.string().optional() }, execution: { taskSupport } },
    {
      async createTask(_input, extra) {
        const task = await extra.taskStore.createTask({ ttl: 60_000, pollInterval: 50 })
        void work(task.taskId, extra as never)
        return { task }
      },
      getTask: (_input, { taskStore: store, taskId }) => store.getTask(taskId) as never,
      getTaskResult: (_input, { taskStore: store, taskId }) => store.getTaskResult(taskId) as never,
    },
  )
}

interface Extra {
  readonly taskStore: Store
  sendRequest(
    request: object,
    schema: typeof ElicitResultSchema,
    options: object,
  ): Promise<{ content?: { name?: string } }>
}

offer('brew', 'required', async (id, { taskStore: store }: Extra) => {
  await new Promise((resolve) => setTimeout(resolve, 120))
  await done(store, id, 'brewed')
})
offer('spill', 'optional', (id, { taskStore: store }: Extra) => done(store, id, 'spilt', true))
offer('hang', 'optional', async () => {})
offer('ask', 'optional', async (id, { taskStore: store, sendRequest }: Extra) => {
  const relatedTask = { taskId: id }
  const { content } = await sendRequest({ method: 'elicitation/create', params: form }, ElicitResultSchema, {
    relatedTask,
  })
  await done(store, id, `Hello, ${content?.name}!`)
})

// asks its client by a task of the client's own
cafe.registerTool('ask_by_task', {}, async () => {
  const said: string[] = []
  for await (const message of cafe.server.experimental.tasks.elicitInputStream(form, { task: { ttl: 60_000 } })) {
    said.push(
      message.type === 'result'
        ? `Hello, ${message.result.content?.name}!`
        : message.type === 'error'
          ? message.error.message
          : message.type,
    )
  }
  return { content: [{ type: 'text', text: said.join(' ') }] }
})

await cafe.connect(new StdioServerTransport())
