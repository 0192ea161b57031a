import { type Client, server } from '../../../src/index.ts'
import { type ClientTask, tasks as extension, MemoryTaskStore } from '../../../src/tasks.ts'
import { turnsUntil } from '../../soon.ts'
import { cafe, type Topic } from '../topic.ts'

const size = { type: 'object', properties: { large: { type: 'boolean' } }, required: ['large'] } as const
const answer = { action: 'accept', content: { large: true } } as const
const store = new MemoryTaskStore()

export const tasks: Topic = {
  says: 'A tool that takes its time runs as a task where there are tasks: it asks a question, and its result is fetched at the end.',
  server: () =>
    server({ ...cafe, extensions: [extension({ store })] }).tool('roast', { task: 'optional' }, async (_, ctx) => {
      const { large } = await ctx.elicit('A large bag?', size)
      return large ? 'A kilogram' : 'A pound'
    }),
  options: { extensions: [extension()], elicitation: () => answer },
  async talk(client) {
    const { tools } = client as unknown as { tools: { start(name: string, input: object): Promise<ClientTask> } }
    const task = await tools.start('roast', {})
    const { id } = task
    if (id === undefined) return void (await task.result())
    await turnsUntil(() => store.entries(id).length > 0, 'an entry of the task')
    await (client.capabilities.tasks ? fetched(client, id) : updated(client, id))
    store.drop(id)
  },
}

/** Fetches the result, which brings the question, where the protocol itself has tasks. */
async function fetched(client: Client, taskId: string): Promise<void> {
  await client.request('tasks/get', { taskId })
  await client.request('tasks/result', { taskId })
  await client.request('tasks/get', { taskId })
}

/** Answers the question in the task, which holds the result too, where tasks are an extension. */
async function updated(client: Client, taskId: string): Promise<void> {
  const { inputRequests } = await client.request('tasks/get', { taskId })
  const [key = ''] = Object.keys(inputRequests as object)
  await client.request('tasks/update', { taskId, inputResponses: { [key]: answer } })
  await turnsUntil(() => store.load(taskId)?.status === 'completed', 'the task to be completed')
  await client.request('tasks/get', { taskId })
}
