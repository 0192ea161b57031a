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
import { Mailbox } from '../../mailbox.ts'
import { answers, type CallResult, type Change, type Driver, driverInfo } from '../driver.ts'
import { spelled } from './reference.ts'

/** The client of version 1 of the official SDK; it speaks what the server chooses. */
export async function v1(transport: Transport): Promise<Driver> {
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
  const agreed = noting(transport)
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
    complete: async (ref, name, value) =>
      (await client.complete({ ref: spelled(ref), argument: { name, value } })).completion.values,
    ping: () => client.ping(),
    watch: (interest, onChange) => watch(client, interest, onChange),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** Notes what the client and the server agree on, which this client keeps to itself. */
function noting(transport: Transport): () => string | undefined {
  let agreed: string | undefined
  const { setProtocolVersion } = transport
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
