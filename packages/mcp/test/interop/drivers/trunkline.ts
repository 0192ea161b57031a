import { type ConnectOptions, connect, type Target } from '@trunkline/mcp'
import { Mailbox } from '../../mailbox.ts'
import { tracked } from '../../no-leaks.ts'
import { answers, type Driver, driverInfo } from '../driver.ts'

/** The client of this library, in one revision. */
export async function trunkline(target: Target, revision: string, http: ConnectOptions['http'] = {}): Promise<Driver> {
  const logs: Driver['logs'] = new Mailbox()
  const client = await connect(target, {
    http,
    info: driverInfo,
    revisions: [revision],
    elicitation: { form: () => answers.form, url: () => answers.visit },
    sampling: () => answers.sample,
    roots: answers.roots,
    onLog: logs.put,
  })
  tracked(client)
  return {
    revision: client.revision,
    instructions: client.instructions,
    logs,
    tools: async () => (await client.tools.list().all()).map(({ name }) => name),
    call: (tool, input = {}, options = {}) => client.tools.call(tool, input, options),
    resources: async () => (await client.resources.list().all()).map(({ uri }) => uri),
    templates: async () => (await client.resources.templates().all()).map(({ uriTemplate }) => uriTemplate),
    read: async (uri) => (await client.resources.read(uri)).contents,
    async promptPages() {
      const pages: string[][] = []
      for await (const page of client.prompts.list().pages()) pages.push(page.map(({ name }) => name))
      return pages
    },
    prompt: async (name, input = {}) => (await client.prompts.get(name, input)).messages,
    complete: async (ref, argument, value) => (await client.complete({ ...ref, argument }, value)).values,
    ping: () => client.ping(),
    async watch(interest, onChange) {
      const wanted = interest === 'tools' ? { tools: true } : { uris: [interest.uri] }
      const watching = await client.watch(wanted, (change) =>
        onChange(change.kind === 'resource' ? { uri: change.uri } : 'tools'),
      )
      return () => watching.close()
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
