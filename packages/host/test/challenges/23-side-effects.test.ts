import assert from 'node:assert/strict'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@trunkline/mcp'
import { proposedSandbox } from '../../src/catalogue/effects.ts'
import { parseRule } from '../../src/policy/parse-rule.ts'
import type { ProgramLaunch } from '../../src/servers/launch.ts'
import { programSpec, type RunningHost, runningHost, textOf } from '../gateway/running-host.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const source = { layer: 'user', file: 'trunkline.json', line: 1 }

describe('declared effects of tools', () => {
  const folder = temporaryFolder()
  const dist = join(folder.path, 'dist')
  mkdirSync(dist)
  let running: RunningHost
  let mcp: Client

  before(async () => {
    const { launch, ...spec } = programSpec('shop', 'declared-effects')
    const sandbox = { writable: [dist], by: 'node' } as const
    running = await runningHost({
      servers: [{ ...spec, launch: { ...(launch as ProgramLaunch), cwd: folder.path, sandbox } }],
      rules: [
        parseRule('allow', 'shop:*', source),
        parseRule('deny', { effects: 'network:*.example.com', why: 'nothing leaves' }, source),
        parseRule('ask', { effects: 'deletes*' }, source),
      ],
      ask: { holdMs: 1 },
    })
    mcp = await running.dial()
  })
  after(async () => {
    await mcp?.close()
    await running?.[Symbol.asyncDispose]()
    folder[Symbol.dispose]()
  })

  it('a rule by effect denies the tool that has it, and no other', async () => {
    const denied = await mcp.tools.call('shop__get_mirror', {})
    assert.equal(denied.isError, true)
    assert.match(textOf(denied), /nothing leaves/)
    assert.equal(textOf(await mcp.tools.call('shop__get_report', {})), 'report')
  })

  it('a rule by effect asks a person about the tool that has it, though another rule allows it', async () => {
    const asked = await mcp.tools.call('shop__get_cleaned', {})
    assert.match(textOf(asked), /waits for a person's approval/)
    const [question = assert.fail(), ...more] = running.host.inbox.open
    assert.deepEqual([question.target, more], ['get_cleaned', []])
    await running.host.inbox.answer(question.id, { choice: 'once', by: 'terminal' }, { isLocal: true })
    assert.equal(textOf(await mcp.tools.call('shop__get_cleaned', {})), 'cleaned')
  })

  it('effects tighten the class that is proposed, and never loosen one', () => {
    const classes = running.host.catalogue.entries('shop').map((entry) => [entry.original, entry.class])
    assert.deepEqual(Object.fromEntries(classes), {
      get_report: 'reads',
      get_mirror: 'reads',
      get_cleaned: 'destroys',
      save: 'writes',
    })
    assert.throws(
      () => parseRule('allow', { effects: 'reads' }, source),
      /"effects" is what a server says.*only tighten/,
    )
  })

  it('a person is shown the sandbox that the effects propose', () => {
    const proposed = proposedSandbox(running.host.catalogue.entries('shop')) ?? ''
    assert.match(proposed, /^Its tools say that they write \.\/tmp, \.\/dist and reach mirror\.example\.com/)
    assert.match(proposed, /"sandbox": \{"writable":\["\.\/tmp","\.\/dist"\]\} holds them to it$/)
    assert.equal(proposedSandbox([]), undefined)
  })

  it('an effect that was not declared is blocked and named', async () => {
    const within = join(dist, 'page')
    assert.equal(textOf(await mcp.tools.call('shop__save', { path: within })), 'saved')
    assert.ok(existsSync(within))
    const beyond = join(folder.path, 'page')
    const refused = await mcp.tools.call('shop__save', { path: beyond })
    assert.equal(refused.isError, true)
    assert.match(textOf(refused), new RegExp(`The sandbox of server "shop" refused: FileSystemWrite "${beyond}"`))
    assert.equal(existsSync(beyond), false)
  })
})
