import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { apiClient } from '../../src/api/client.ts'
import { textOf } from '../gateway/running-host.ts'
import { callerOf, person, programEntry } from '../run/person.ts'

it('taint follows the configuration: marks of servers, mode, explanation, and a person who ends it', async () => {
  using ann = person()
  const mcpServers = {
    vault: programEntry('upstream', { data: 'private' }),
    web: programEntry('upstream', { data: 'untrusted' }),
    mail: programEntry(),
  }
  const configure = (taint?: string) =>
    ann.configure({ policy: { allow: ['*:*'], ...(taint && { taint }) }, mcpServers })
  configure()
  await using running = await ann.run()
  for (const name of Object.keys(mcpServers)) await running.host.accept(name)
  await using mcp = await callerOf(running)
  const write = async (text: string) => textOf(await mcp.tools.call('mail__write', { text }))
  for (const server of ['vault', 'web']) await mcp.tools.call(`${server}__echo`, { text: 'x' })
  assert.match(await write('a'), /waits for a person's approval/)

  const api = apiClient(JSON.parse(readFileSync(running.runningFile, 'utf8')))
  const { mode, items } = await api.call('taint')
  assert.deepEqual(
    [mode, items.map(({ client, server, data }) => `${client} ${server} ${data}`)],
    ['default', ['editor vault private', 'editor web untrusted']],
  )
  const told = await api.call('explainPolicy', { server: 'mail', tool: 'write', client: 'editor' })
  assert.equal(told.effect, 'ask')
  assert.match(told.why, /private data of "vault", and what others may have written, from "web"/)
  const other = await api.call('explainPolicy', { server: 'mail', tool: 'write', client: 'other' })
  assert.equal(other.effect, 'allow')

  await assert.rejects(api.call('forgetTaint', { client: 'nobody' }), /There is no client "nobody"/)
  assert.deepEqual(await api.call('forgetTaint', { client: 'editor' }), { removed: 2 })
  assert.equal(await write('b'), 'b')

  for (const server of ['vault', 'web']) await mcp.tools.call(`${server}__echo`, { text: 'x' })
  assert.match(await write('c'), /waits/)
  configure('off')
  await running.config.readAgain(ann.places.userFile)
  await running.reload()
  assert.equal(await write('d'), 'd')
})
