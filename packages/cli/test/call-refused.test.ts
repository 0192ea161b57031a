import assert from 'node:assert/strict'
import { test } from 'node:test'
import { programSpec, runningHost } from '../../host/test/gateway/running-host.ts'
import { runCli } from './run-cli.ts'

test('call: what a person or a rule did not let pass ends with 5, whether it waits or was refused', async () => {
  await using running = await runningHost({
    servers: [programSpec('one')],
    open: true,
    ask: { holdMs: 50 },
  })
  const url = `${running.host.url}/server/one`
  // a revision without tasks: with one, a call waits for as long as the person takes
  const old = ['--revision', '2025-03-26']
  const waiting = await runCli(['call', url, 'write', 'text=x', ...old])
  assert.equal(waiting.exit, 5, waiting.stderr)
  assert.match(waiting.stderr, /"write" was not run: waiting/)
  const [question = assert.fail()] = running.host.inbox.open
  await running.host.inbox.answer(question.id, { choice: 'refuse', by: 'terminal' }, { isLocal: true })
  const refused = await runCli(['call', url, 'write', 'text=x', ...old])
  assert.equal(refused.exit, 5, refused.stderr)
  assert.match(refused.stderr, /"write" was not run: refused/)
})
