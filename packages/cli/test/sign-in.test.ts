import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { serve, server } from '@trunkline/mcp'
import { devServer } from '@trunkline/mcp/auth/dev-server'
import { lacking } from '../../../tools/lib/needs.ts'
import { hasProgram } from './has-program.ts'
import { runCli } from './run-cli.ts'
import { inTerminal } from './tmux.ts'

const limit = { timeout: 120_000, skip: lacking('tmux', hasProgram('tmux')) }

test('sign-in: in a terminal a page is shown; afterwards scripts use what was kept', limit, async () => {
  const home = mkdtempSync(join(tmpdir(), 'sign-in-'))
  const env = { HOME: home, XDG_CONFIG_HOME: home }
  await using authorization = await devServer({ warn: () => {} })
  const vault = server({ name: 'vault', version: '1', onWarning: () => {} }).tool('open', {}, () => 'opened')
  await using running = await serve(vault, { http: 0, auth: { issuer: authorization.issuer } })
  const line = ['call', '--trust', authorization.issuer, String(running.url), 'open']

  const before = await runCli(line, { env })
  assert.equal(before.exit, 6, before.stderr)
  assert.match(before.stderr, /in a terminal/)

  await using terminal = await inTerminal(line, env)
  const shown = await terminal.until(/Sign in at [\s\S]*code_challenge=\S+/)
  const [url = ''] = /http:\/\/\S+/.exec(shown.slice(shown.indexOf('Sign in at'))) ?? []
  assert.equal((await fetch(url)).status, 200)
  assert.match(await terminal.until(/^exit:/m), /^opened\nexit:0$/m)

  assert.deepEqual(await runCli(line, { env }), { exit: 0, stdout: 'opened\n', stderr: '' })
  rmSync(home, { recursive: true })
})
