import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { answers, type CallResult, type Change, type Driver, driverInfo } from '../../interop/driver.ts'
import { Mailbox } from '../../mailbox.ts'

/** The client of version 1 of the official SDK, in one revision. */
export async function v1(transport: Transport, revision: string): Promise<Driver> {
  const logs: Driver['logs'] = new Mailbox()
  const client = new Client(driverInfo, {
    capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } },
  })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) =>
    params.mode === 'url' ? { ...answers.visit } : { action: 'accept', content: { ...answers.form.content } },
  )
  client.setRequestHandler(CreateMessageRequestSchema, () => ({ ...answers.sample }))
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...answers.roots] }))
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logs.put(params))
  const agreed = proposing(transport, revision)
  await client.connect(transport)
  await client.setLoggingLevel('info')
  return {
    revision: agreed(),
    instructions: client.getInstructions(),
    logs,
    tools: () =>
      paged(
        (cursor) => client.listTools({ cursor }),
        (page) => page.tools.map(({ name }) => name),
      ).then(flat),
    call: async (tool, input = {}, { signal, onProgress } = {}) =>
      (await client.callTool({ name: tool, arguments: input }, undefined, {
        ...(signal && { signal }),
        ...(onProgress && { onprogress: onProgress }),
      })) as CallResult,
    resources: () =>
      paged(
        (cursor) => client.listResources({ cursor }),
        (page) => page.resources.map(({ uri }) => uri),
      ).then(flat),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    read: async (uri) => (await client.readResource({ uri })).contents,
    promptPages: () =>
      paged(
        (cursor) => client.listPrompts({ cursor }),
        (page) => page.prompts.map(({ name }) => name),
      ),
    prompt: async (name, input = {}) => (await client.getPrompt({ name, arguments: input })).messages,
    async complete(ref, name, value) {
      const spelled =
        'prompt' in ref
          ? { type: 'ref/prompt' as const, name: ref.prompt }
          : { type: 'ref/resource' as const, uri: ref.template }
      return (await client.complete({ ref: spelled, argument: { name, value } })).completion.values
    },
    ping: () => client.ping(),
    watch: (interest, onChange) => watch(client, interest, onChange),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** Makes the client propose a revision, which it cannot be asked for, and returns what came of it. */
function proposing(transport: Transport, protocolVersion: string): () => string | undefined {
  let agreed: string | undefined
  const { send, setProtocolVersion } = transport
  transport.send = (message, options) => {
    const isFirst = 'method' in message && message.method === 'initialize'
    const sent = isFirst ? { ...message, params: { ...message.params, protocolVersion } } : message
    return send.call(transport, sent, options)
  }
  transport.setProtocolVersion = (version) => {
    agreed = version
    setProtocolVersion?.call(transport, version)
  }
  return () => agreed
}

async function watch(client: Client, interest: Change, onChange: (change: Change) => void) {
  if (interest === 'tools') {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => onChange('tools'))
    return async () => client.removeNotificationHandler('notifications/tools/list_changed')
  }
  const { uri } = interest
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => onChange({ uri: params.uri }))
  await client.subscribeResource({ uri })
  return () => client.unsubscribeResource({ uri })
}

/** Every page of a list: this client leaves the walk to its user. */
async function paged<Page extends { nextCursor?: string | undefined }>(
  fetch: (cursor: string | undefined) => Promise<Page>,
  names: (page: Page) => string[],
): Promise<string[][]> {
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const page = await fetch(cursor)
    pages.push(names(page))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return pages
}

const flat = (pages: string[][]): string[] => pages.flat()
