import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Client, connect, type Server, type ServerTypes, server, type Tool } from '@trunkline/mcp'
import { contract } from '@trunkline/mcp/contract'
import { serveHttp } from '@trunkline/mcp/node'
import { z } from 'zod'
import { parseRule } from '../../src/policy/parse-rule.ts'
import { runningHost, textOf } from '../gateway/running-host.ts'

const allow = parseRule('allow', '*:*', { layer: 'user', file: 'trunkline.json', line: 1 })
const first = { query: z.string(), limit: z.number().optional() }
const name = 'shop__search'

it('a client made for the first version, through the host: a wider schema passes, a narrower one is refused', async () => {
  // a server that knows nothing of the contract
  const shop = server({ name: 'shop', version: '1.0.0' }) as unknown as Server<ServerTypes>
  const becomes = (input: z.ZodRawShape): void => {
    shop.tools.remove('search')
    shop.tool('search', { input: z.object(input) }, () => 'found')
  }
  shop.tool('search', { input: z.object(first) }, () => 'found')
  await using serving = await serveHttp(shop, { port: 0 })
  const spec = { name: 'shop', launch: { kind: 'remote' as const, url: serving.url, headers: {} } }
  await using running = await runningHost({ servers: [spec], rules: [allow] })
  const { token } = await running.host.principals.make({ name: 'built-long-ago' })
  const http = { headers: { authorization: `Bearer ${token}` } }
  const dial = (revision: string) =>
    connect(new URL(running.host.url), { http, extensions: [contract()], revisions: [revision] })
  const listed = async (client: Pick<Client, 'tools'>): Promise<Tool> =>
    (await client.tools.list().all()).find((tool) => tool.name === name) ?? assert.fail('it is not listed')
  let expects: Tool
  {
    await using client = await dial('2026-07-28')
    expects = await listed(client)
  }
  const accepted = async (input: z.ZodRawShape): Promise<void> => {
    becomes(input)
    const { catalogue } = running.host
    while (catalogue.find('shop', 'tool', 'search')?.standing === 'usable')
      await new Promise((resolve) => setTimeout(resolve, 10))
    await running.host.accept('shop')
  }
  const said = async (revision: string): Promise<string> => {
    await using client = await dial(revision)
    return await client.tools.call(name, { query: 'tea' }, { expects }).then(textOf, (error: Error) => error.message)
  }
  const revisions = ['2024-11-05', '2026-07-28']
  for (const revision of revisions) assert.equal(await said(revision), 'found')
  await accepted({ ...first, sort: z.string().optional() })
  for (const revision of revisions) assert.equal(await said(revision), 'found', 'wider')
  await accepted({ ...first, shop: z.string() })
  for (const revision of revisions) assert.match(await said(revision), /input\/shop must be given now/)
})
