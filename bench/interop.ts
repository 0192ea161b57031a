/** Our client against the servers of peers that only this folder installs; ends with 1 when one of them fails. */
import assert from 'node:assert/strict'
import { type Client, type ConnectOptions, connect } from '@trunkline/mcp'
import type { Contestant } from './contestants/contestant.ts'
import { fastmcp } from './contestants/fastmcp.ts'
import { mcpLite } from './contestants/mcp-lite.ts'
import { tmcp } from './contestants/tmcp.ts'
import { startHttpServer } from './process/http-server.ts'
import { prepare } from './process/prepare.ts'
import { path } from './wire/http.ts'
import { progressNotices } from './wire/messages.ts'

const peers = [
  { contestant: tmcp, program: 'peers/tmcp/interop' },
  { contestant: mcpLite, program: 'peers/mcp-lite/interop' },
  { contestant: fastmcp, program: 'peers/fastmcp/interop' },
]

await prepare()
for (const { contestant, program } of peers) {
  const failures = [...(await failuresOfTools(contestant)), ...(await failuresOf(program, undefined, useOffers))]
  const outcome = failures.length === 0 ? 'tools, progress, resources and prompts work' : failures.join('; ')
  process.stdout.write(`${failures.length === 0 ? 'ok  ' : 'FAIL'} ${contestant.name.padEnd(9)} ${outcome}\n`)
  if (failures.length > 0) process.exitCode = 1
}

/** Every program that is measured, in the shape it is measured in. */
async function failuresOfTools({ http = [] }: Contestant): Promise<string[]> {
  const failures: string[] = []
  for (const { program, shape } of http) failures.push(...(await failuresOf(program, shape.revision, useTools)))
  return failures
}

type Use = (client: Client) => Promise<void>

async function failuresOf(program: string, revision: string | undefined, use: Use): Promise<string[]> {
  try {
    await attempt(program, revision === undefined ? {} : { revisions: [revision] }, use)
    return []
  } catch (cause) {
    const why = (cause as Error).message.replaceAll(/\s+/g, ' ')
    return [`${program}${revision === undefined ? '' : ` in ${revision}`}: ${why}`]
  }
}

async function attempt(program: string, options: ConnectOptions, use: Use): Promise<void> {
  const server = await startHttpServer(program, { tools: 3, steps: true })
  try {
    await using client = await connect(new URL(path, `http://127.0.0.1:${server.port}`), options)
    await use(client)
  } finally {
    await server.end()
  }
}

async function useTools(client: Client): Promise<void> {
  const tools = await client.tools.list().all()
  assert.deepEqual(tools.map(({ name }) => name).sort(), ['echo', 'echo-1', 'echo-2', 'steps'])
  assert.deepEqual((await client.tools.call('echo', { text: 'hi' })).content, [{ type: 'text', text: 'hi' }])
  let notices = 0
  const onProgress = (): void => {
    notices += 1
  }
  await client.tools.call('steps', { text: 'hi' }, { onProgress })
  assert.equal(notices, progressNotices)
}

async function useOffers(client: Client): Promise<void> {
  const resources = await client.resources.list().all()
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    ['cafe://menu'],
  )
  const [content] = (await client.resources.read('cafe://menu')).contents
  assert.equal(content && 'text' in content && content.text, 'espresso')
  const prompts = await client.prompts.list().all()
  assert.deepEqual(
    prompts.map(({ name }) => name),
    ['recommend'],
  )
  const { messages } = await client.prompts.get('recommend', { mood: 'sad' })
  assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'Who is sad drinks what?' } }])
}
