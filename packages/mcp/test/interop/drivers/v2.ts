import { Client, LOG_LEVEL_META_KEY, type Transport } from '@modelcontextprotocol/client'
import { Mailbox } from '../../mailbox.ts'
import { answers, type Change, type Driver, driverInfo } from '../driver.ts'
import { stateless } from '../revisions.ts'
import { spelled } from './reference.ts'

/** The client of version 2 of the official SDK, in one revision. */
export async function v2(transport: Transport, revision: string): Promise<Driver> {
  const logs: Driver['logs'] = new Mailbox()
  const isStateless = revision === stateless
  const client = new Client(driverInfo, {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
    ...(isStateless ? { versionNegotiation: { mode: { pin: revision } } } : { supportedProtocolVersions: [revision] }),
  })
  client.setRequestHandler('elicitation/create', ({ params }) =>
    params.mode === 'url' ? { ...answers.visit } : { action: 'accept', content: { ...answers.form.content } },
  )
  client.setRequestHandler('sampling/createMessage', () => ({ ...answers.sample }))
  client.setRequestHandler('roots/list', () => ({ roots: [...answers.roots] }))
  client.setNotificationHandler('notifications/message', ({ params }) => logs.put(params))
  await client.connect(transport)
  if (!isStateless) await client.setLoggingLevel('info')
  const _meta = isStateless ? { [LOG_LEVEL_META_KEY]: 'info' as const } : {}
  return {
    revision: client.getNegotiatedProtocolVersion(),
    instructions: client.getInstructions(),
    logs,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (tool, input = {}, { signal, onProgress } = {}) =>
      client.callTool(
        { name: tool, arguments: input, _meta },
        { ...(signal && { signal }), ...(onProgress && { onprogress: onProgress }) },
      ),
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async (uri) => (await client.readResource({ uri })).contents,
    promptPages: () => promptPages(client),
    prompt: async (name, input = {}) => (await client.getPrompt({ name, arguments: input })).messages,
    complete: async (ref, name, value) =>
      (await client.complete({ ref: spelled(ref), argument: { name, value } })).completion.values,
    ping: () => (isStateless ? client.discover() : client.ping()),
    watch: (interest, onChange) =>
      isStateless ? listen(client, interest, onChange) : subscribe(client, interest, onChange),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

function hear(client: Client, onChange: (change: Change) => void): void {
  client.setNotificationHandler('notifications/tools/list_changed', () => onChange('tools'))
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => onChange({ uri: params.uri }))
}

async function listen(client: Client, interest: Change, onChange: (change: Change) => void) {
  hear(client, onChange)
  const filter = interest === 'tools' ? { toolsListChanged: true } : { resourceSubscriptions: [interest.uri] }
  const subscription = await client.listen(filter)
  return () => subscription.close()
}

async function subscribe(client: Client, interest: Change, onChange: (change: Change) => void) {
  hear(client, onChange)
  if (interest === 'tools') return async () => client.removeNotificationHandler('notifications/tools/list_changed')
  await client.subscribeResource({ uri: interest.uri })
  return () => client.unsubscribeResource({ uri: interest.uri })
}

async function promptPages(client: Client): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    // its own listPrompts joins the pages
    const page = await client.request({ method: 'prompts/list', params })
    pages.push(page.prompts.map(({ name }) => name))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}
