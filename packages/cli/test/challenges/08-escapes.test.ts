import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { lacking } from '../../../../tools/lib/needs.ts'
import { programFile } from '../../../../tools/lib/program-file.ts'
import { escapes, steers } from '../fixtures/escape-corpus.ts'
import { hasProgram } from '../has-program.ts'
import { acceptServer, apiOf } from '../host/host-api.ts'
import { hostHome } from '../host/host-home.ts'
import { fixture, runCli } from '../run-cli.ts'
import { inTerminal } from '../tmux.ts'
import { type ProgramResult, wrapped } from '../wrap/wrapped.ts'

const program = programFile(new URL('../fixtures/escapes.ts', import.meta.url))

test('wrap strips what steers a terminal, and the command makes visible what hides', async () => {
  await using at = await wrapped({ tools: [{ name: 'print', command: ['print'], arguments: [{ name: 'bytes' }] }] })
  for (const one of escapes) {
    const bytes = Buffer.from(one).toString('base64')
    const { structuredContent, content } = await at.client.tools.call('print', { bytes })
    const { stdout } = structuredContent as ProgramResult
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/
    assert.doesNotMatch(stdout, controls, JSON.stringify(one))
    assert.ok(content.every((block) => block.type !== 'text' || !controls.test(block.text)))
  }
})

test('the command prints no word of a server as it is: lists, results, errors, logs, progress, stderr, JSON', async () => {
  const lines = [
    ['tools', 'all'],
    ['call', 'all', '--log=debug', '--stderr'],
    ['call', 'all', '--json'],
    ['call', 'fail'],
    ['read', 'escapes://all'],
    ['trace', 'call', 'all'],
  ]
  for (const words of lines) {
    const { stdout, stderr } = await runCli([...words, ...fixture('escapes')])
    assert.match(stdout + stderr, /\\u\{1b\}|\\u001b/, words.join(' '))
    for (const printed of [stdout, stderr]) assert.equal(steers(printed), undefined, words.join(' '))
  }
})

test('a real terminal stays as it was', { skip: lacking('tmux', hasProgram('tmux')) }, async () => {
  await using screen = await inTerminal(['call', 'all', ...fixture('escapes')])
  const shown = await screen.until(/exit:0/)
  assert.match(shown, /\\u\{1b\}\]0;title\\u\{7\}/)
  assert.match(shown, /\\u\{202e\}reversed/)
})

describe('behind the host', () => {
  it('its lists, log, questions and record show none of it', async () => {
    await using at = hostHome()
    at.configure({ mcpServers: { escapes: { command: process.execPath, args: [program] } } })
    await at.up()
    await acceptServer(apiOf(at), 'escapes')
    const lines = ['call escapes all', 'call escapes fail', 'status escapes', 'logs escapes', 'ls escapes', 'audit']
    for (const line of lines) {
      const { stdout, stderr } = await at.run(...line.split(' '))
      for (const printed of [stdout, stderr]) assert.equal(steers(printed), undefined, line)
    }
    assert.match((await at.run('logs', 'escapes')).stdout, /\\u\{1b\}\[31mred/)
  })
})
