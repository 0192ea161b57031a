/** Actions of a person at other doors of the host, for tests: accept a server, answer questions. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiClient, projectHeader } from '@trunkline/host/api'
import { type Client, connect } from '@trunkline/mcp'
import { bystanderAddress, bystanderApi } from './bystander-api.ts'
import type { HostHome } from './host-home.ts'

/** The API of the host that runs in a home. */
export function apiOf({ home }: HostHome): ApiClient {
  return bystanderApi(JSON.parse(readFileSync(join(home, '.local/state/trunkline/running.json'), 'utf8')))
}

/** Accepts a server with the command that is configured for it. */
export async function acceptServer(api: ApiClient, server: string): Promise<void> {
  // the endpoint answers before the configuration is read
  const find = async () => (await api.call('servers')).items.find(({ name }) => name === server)
  let found = await find()
  while (!found) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    found = await find()
  }
  const { commandHash } = found
  await api.call('acceptServer', { server, commandHash })
}

/** A client with a token of its own, which works in no project. */
export async function clientOf(api: ApiClient, name: string): Promise<Client> {
  const [client] = await clientsIn(api, name, [undefined])
  if (!client) throw new Error(`There is no client "${name}"`)
  return client
}

/** Connections of one client, each in a project of its own. */
export async function clientsIn(
  api: ApiClient,
  name: string,
  projects: readonly (string | undefined)[],
): Promise<readonly Client[]> {
  const { token } = await api.call('addClient', { name })
  const { mcp } = await api.call('status')
  const address = await bystanderAddress(new URL('/', mcp).href, 'client')
  const headersIn = (project: string | undefined) => ({
    authorization: `Bearer ${token}`,
    ...(project !== undefined && projectHeader(project)),
  })
  return Promise.all(
    projects.map((project) => connect(new URL('/mcp', address), { http: { headers: headersIn(project) } })),
  )
}

/** Calls a tool that is asked about, and answers the question. */
export async function callAndAnswer(
  api: ApiClient,
  client: Client,
  call: { readonly tool: string; readonly args: { readonly [name: string]: unknown } },
  choice: 'once' | 'session' | 'always' | 'refuse' = 'once',
): Promise<void> {
  const calling = client.tools.call(call.tool, call.args)
  for (;;) {
    const question = (await api.call('inbox')).items.find(({ kind }) => kind === 'call')
    if (question) {
      await api.call('answer', { id: question.id, choice, door: 'terminal' })
      break
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await calling
}
