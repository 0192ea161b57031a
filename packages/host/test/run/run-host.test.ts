import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect as dialSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { connect } from '@trunkline/mcp'
import { until } from '../../../../tools/lib/until.ts'
import { describeProblem } from '../../src/config/problem.ts'
import type { RunningHost } from '../../src/running/run-host-types.ts'
import { textOf } from '../gateway/running-host.ts'
import { answer, callerOf, person, programEntry, questionOf } from './person.ts'

const namesOf = async (running: RunningHost) => {
  await using mcp = await callerOf(running)
  return (await mcp.tools.list().all()).map(({ name }) => name)
}

describe('a host without configuration', () => {
  it('serves the files of the directory read-only', async () => {
    using ann = person()
    writeFileSync(join(ann.project, 'note.txt'), 'hello')
    await using running = await ann.run()
    let names = await namesOf(running)
    // a caller is not kept waiting for a server that takes long to start
    while (names.length === 0) names = await namesOf(running)
    assert.ok(names.includes('files__read_file'), names.join())
    assert.ok(!names.some((name) => name.includes('write')), names.join())
    await using mcp = await callerOf(running)
    assert.match(textOf(await mcp.tools.call('files__read_file', { path: join(ann.project, 'note.txt') })), /hello/)
  })

  it('never serves the home directory', async () => {
    using ann = person()
    await using running = await ann.run({ directory: ann.home })
    assert.deepEqual(running.state.servers, [])
  })

  it('serves nothing where a file may have meant servers, and says what to write', async () => {
    for (const [text, said] of [
      ['mcpServers:\n  a:\n    command: node\n', /:1: is not JSON; begin it with \{/],
      ['{ "servers": { "a": { "command": "node" } } }', /:1: servers is no key .*; write "mcpServers" instead$/],
      ['[{ "command": "node" }]', /:1: is a list; write a table in braces$/],
      ['{ "mcpServer": {} }', /:1: mcpServer is no key .*; did you mean "mcpServers"$/],
    ] as const) {
      using ann = person()
      ann.configure(text)
      await using running = await ann.run()
      assert.match(running.state.problems.map(describeProblem).join(), said)
      assert.deepEqual(running.state.servers, [])
    }
  })

  it('lists servers of other clients and starts none of them', async () => {
    using ann = person()
    mkdirSync(join(ann.home, '.cursor'))
    writeFileSync(
      join(ann.home, '.cursor', 'mcp.json'),
      JSON.stringify({ mcpServers: { theirs: programEntry('upstream') } }),
    )
    await using running = await ann.run()
    assert.deepEqual(
      running.state.found.map(({ name, client }) => `${client} ${name}`),
      ['cursor theirs'],
    )
    assert.deepEqual(running.state.servers, ['files'])
  })
})

describe('a configured server', () => {
  it('that is the host itself is named and left out, by its command and by its address', async () => {
    using ann = person()
    const self = { command: 'npx', args: ['-y', 'trunkline', 'stdio'] }
    ann.configure({ mcpServers: { self, one: programEntry() } })
    await using running = await ann.run()
    const said = () => running.state.problems.map(describeProblem).join()
    assert.match(said(), /trunkline\.json:3: mcpServers\.self is this host itself; remove it; it is not started$/)
    assert.deepEqual(running.state.servers, ['one'])
    ann.configure({ mcpServers: { one: programEntry(), again: { url: `${running.host.url}/server/one` } } })
    await until(() => /mcpServers\.again is this host itself/.test(said()))
    assert.deepEqual(running.state.servers, ['one'])
  })

  it('is not started before a person accepted its exact command, and then has its first offers', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    assert.deepEqual(await namesOf(running), [])
    assert.equal(running.host.servers.get('one')?.status.state, 'needs you')
    const question = await questionOf(running, 'start')
    assert.equal(question.detail.command, process.execPath)
    assert.match(question.why, /trunkline\.json:3/)
    await answer(running, question, 'always')
    await until(() => running.host.catalogue.isPinned('one'))
    assert.ok((await namesOf(running)).includes('one__echo'))
  })

  it('stays accepted over a restart of the host, and has to be accepted again with another command', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    {
      await using running = await ann.run()
      await running.host.accept('one')
    }
    {
      await using running = await ann.run()
      assert.ok(running.host.isAccepted('one'))
      assert.ok((await namesOf(running)).includes('one__echo'))
    }
    ann.configure({ mcpServers: { one: programEntry('upstream', { cwd: '/' }) } })
    await using running = await ann.run()
    assert.ok(!running.host.isAccepted('one'))
    assert.match(running.host.servers.get('one')?.status.why ?? '', /; accept it with "trunkline accept one"$/)
    await using mcp = await callerOf(running)
    const { isError, content } = await mcp.tools.call('one__echo', { text: 'x' })
    assert.equal(isError, true)
    // neither the way to accept a server nor its command
    assert.equal(
      textOf({ content }),
      'Cannot use server "one": it was not accepted yet; a person has to see to that at the host',
    )
  })

  it('that a person refused is not asked about again', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    {
      await using running = await ann.run()
      await answer(running, await questionOf(running, 'start'), 'refuse')
    }
    await using running = await ann.run()
    assert.deepEqual(running.host.inbox.open, [])
  })

  it('is not asked about any more once it is gone from the configuration', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry(), two: programEntry() } })
    await using running = await ann.run()
    assert.equal(running.host.inbox.open.length, 2)
    ann.configure({ mcpServers: { two: programEntry() } })
    await until(() => running.host.inbox.open.length === 1)
    assert.equal(running.host.inbox.open[0]?.server, 'two')
  })

  it('is shown as the configuration says: renamed, described, classed, left out', async () => {
    using ann = person()
    const entry = programEntry('upstream', {
      tools: { except: ['p*'] },
      rename: { echo: 'say' },
      describe: { echo: 'Says it back' },
      classes: { write: 'reads' },
    })
    ann.configure({ mcpServers: { one: entry } })
    await using running = await ann.run()
    await running.host.accept('one')
    await using mcp = await callerOf(running)
    const tools = await mcp.tools.list().all()
    assert.equal(tools.find(({ name }) => name === 'one__say')?.description, 'Says it back')
    assert.ok(!tools.some(({ name }) => name === 'one__echo' || name === 'one__pid'))
    assert.equal(textOf(await mcp.tools.call('one__say', { text: 'hi' })), 'hi')
    // classed as reading, so it is not asked about
    assert.equal(textOf(await mcp.tools.call('one__write', { text: 'hi' })), 'hi')
  })
})

it('answers as soon as it listens, from its store, while servers hang and crash at their start', async () => {
  using ann = person()
  const switched = join(ann.project, 'switch.mjs')
  const { args: [program] = [''] } = programEntry() as { args?: string[] }
  writeFileSync(switched, `await import(${JSON.stringify(pathToFileURL(program ?? ''))})`)
  const entry = { command: process.execPath, args: [switched], mine: true, start: 'at once', startTimeoutMs: 600_000 }
  ann.configure({ mcpServers: { hangs: { ...entry, env: { A: 'hang' } }, crashes: entry, one: programEntry() } })
  {
    await using running = await ann.run()
    for (const name of ['hangs', 'crashes', 'one']) await running.host.accept(name)
  }
  writeFileSync(switched, 'if (process.env.A === "hang") setInterval(() => {}, 1000); else process.exit(3)')
  const seen: { names?: readonly string[]; said?: string; state?: string | undefined } = {}
  await using running = await ann.run({
    onListening: (listening) => {
      // not awaited: the host goes on
      void (async () => {
        await using mcp = await callerOf(listening)
        seen.names = (await mcp.tools.list().all()).map(({ name }) => name)
        seen.state = listening.host.servers.get('hangs')?.status.state
        seen.said = textOf(await mcp.tools.call('one__echo', { text: 'here' }))
      })()
    },
  })
  await until(() => seen.said !== undefined)
  for (const name of ['hangs', 'crashes', 'one']) assert.ok(seen.names?.includes(`${name}__echo`), name)
  assert.notEqual(seen.state, 'ready')
  assert.equal(seen.said, 'here')
  await until(() => running.host.servers.get('hangs')?.status.state === 'starting')
})

it('a tool is called at once by its known name, while its server is started for the first time', async () => {
  using ann = person()
  ann.configure({ mcpServers: { one: programEntry() } })
  await using running = await ann.run()
  await using mcp = await callerOf(running)
  await running.host.catalogue.acceptCommand('one', (await firstHash(running)) ?? '')
  await running.host.apply(running.host.specs)
  const call = () => mcp.tools.call('one__echo', { text: 'hi' }).then(textOf, (error: Error) => error.message)
  let said = await call()
  // a machine that is busy may take longer to start it than a caller is kept waiting
  while (/no such tool here/.test(said)) said = await call()
  assert.equal(said, 'hi')
})

/** The hash that a person would accept of the only server. */
async function firstHash(running: RunningHost): Promise<string | undefined> {
  return String((await questionOf(running, 'start')).detail.hash)
}

describe('a changed configuration', () => {
  it('restarts only servers whose command, environment or directory changed, and calls under way finish', async () => {
    using ann = person()
    const policy = { allow: ['*:*'] }
    const entry = (more: object = {}) => programEntry('upstream', more)
    const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' }
    ann.configure({ policy, mcpServers: { one: entry(), two: entry({ env: { ...env, WHAT: 'before' } }) } })
    await using running = await ann.run()
    for (const name of ['one', 'two']) await running.host.accept(name)
    await using mcp = await callerOf(running)
    const pid = async (server: string) => textOf(await mcp.tools.call(`${server}__pid`, {}))
    const before = { one: await pid('one'), two: await pid('two') }
    const underWay = mcp.tools.call('two__wait', { ms: 1_000 })
    await until(() => running.host.servers.get('two')?.status.calls === 1)
    // the other one stands elsewhere in the file, has other limits and shows other tools
    const mcpServers = {
      new: entry(),
      two: entry({ env: { ...env, WHAT: 'after' } }),
      one: entry({ maxCalls: 3, idleMs: 9_000, rename: { echo: 'say' } }),
    }
    ann.configure({ mcpServers, policy })
    await until(() => running.state.servers.length === 3)
    assert.notEqual(await pid('two'), before.two)
    assert.equal(await pid('one'), before.one)
    assert.equal(running.host.servers.get('one')?.spec.maxCalls, 3)
    assert.equal(textOf(await underWay), 'done')
  })

  it('that is broken leaves running servers running and says so, until it is mended', async () => {
    using ann = person()
    ann.configure({ mcpServers: { one: programEntry() } })
    await using running = await ann.run()
    await running.host.accept('one')
    ann.configure('{ "mcpServers": { "one": ')
    await until(() => running.state.problems.length > 0)
    assert.match(running.state.problems[0]?.file ?? '', /trunkline\.json$/)
    assert.ok((await namesOf(running)).includes('one__echo'))
    ann.configure({ mcpServers: { one: programEntry() } })
    await until(() => running.state.problems.length === 0)
  })

  it('with a rule takes effect with the next call; a rule that cannot be read makes everything ask', async () => {
    using ann = person()
    const mcpServers = { one: programEntry() }
    ann.configure({ mcpServers })
    await using running = await ann.run()
    await running.host.accept('one')
    await using mcp = await callerOf(running)
    ann.configure({ mcpServers, policy: { deny: ['one:echo'] } })
    await until(() => running.host.policy.rules.length === 1)
    assert.match(textOf(await mcp.tools.call('one__echo', { text: 'x' })), /The policy denies/)
    ann.configure({ mcpServers, policy: { deny: ['one echo'] } })
    await until(() => running.state.problems.length === 1)
    assert.match(running.state.problems[0]?.fix ?? '', /"one echo" is not a pattern of acts/)
    assert.match(textOf(await mcp.tools.call('one__echo', { text: 'x' })), /waits for a person's approval/)
  })
})

it('a host started on demand ends some time after its last caller left, and not before', async () => {
  using ann = person()
  let isDown = false
  const idle = { stayMs: 30, everyMs: 5 }
  const onDown = () => {
    isDown = true
  }
  {
    await using _byHand = await ann.run({ idle, onDown })
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal(isDown, false)
  }
  let caller: Socket | undefined
  await using _running = await ann.run({
    endsWhenIdle: true,
    idle,
    onDown,
    onListening: ({ host }) => {
      caller = dialSocket(Number(new URL(host.url).port), '127.0.0.1')
    },
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  assert.equal(isDown, false, 'somebody is connected')
  caller?.destroy()
  await until(() => isDown)
})

it('"always" is a rule for the client in the person\'s file, and the client does not ask again', async () => {
  using ann = person()
  ann.configure({ mcpServers: { one: programEntry() } })
  await using running = await ann.run()
  await running.host.accept('one')
  await using mcp = await callerOf(running)
  await mcp.tools.call('one__write', { text: 'a' })
  await answer(running, await questionOf(running, 'call'), 'always')
  assert.equal(textOf(await mcp.tools.call('one__write', { text: 'a' })), 'a')
  assert.equal(textOf(await mcp.tools.call('one__write', { text: 'b' })), 'b')
  const written = JSON.parse(readFileSync(ann.places.userFile, 'utf8'))
  assert.deepEqual(written.policy, { allow: [{ match: 'one:write', principal: 'editor' }] })
})

describe('a result that a rule wants reviewed', () => {
  const mcpServers = { one: programEntry() }

  it('is held until a person lets it pass, as they let it pass', async () => {
    using ann = person()
    ann.configure({ mcpServers, policy: { review: ['one:echo{text=secret}'] } })
    await using running = await ann.run()
    await running.host.accept('one')
    await using mcp = await callerOf(running)
    assert.equal(textOf(await mcp.tools.call('one__echo', { text: 'plain' })), 'plain')
    const calling = mcp.tools.call('one__echo', { text: 'secret' })
    const question = await questionOf(running, 'result')
    assert.match(JSON.stringify(question.detail.result), /secret/)
    const content = { content: [{ type: 'text', text: 'edited' }] }
    await running.host.inbox.answer(question.id, { choice: 'once', content, by: 'terminal' }, { isLocal: true })
    assert.equal(textOf(await calling), 'edited')
  })

  it('is kept back when a person says so, and the caller knows that the tool ran', async () => {
    using ann = person()
    ann.configure({ mcpServers, policy: { review: ['one:*'] } })
    await using running = await ann.run()
    await running.host.accept('one')
    await using mcp = await callerOf(running)
    const calling = mcp.tools.call('one__echo', { text: 'secret' })
    await answer(running, await questionOf(running, 'result'), 'refuse')
    const result = await calling
    assert.equal(result.isError, true)
    assert.match(textOf(result), /The tool ran, and a person kept its result back/)
  })
})

it('a profile offers a choice of servers and tools at an address of its own', async () => {
  using ann = person()
  const profiles = { small: { servers: ['one'], tools: ['one:e*'] }, odd: { servers: ['three'] } }
  ann.configure({ mcpServers: { one: programEntry(), two: programEntry() }, profiles })
  await using running = await ann.run()
  for (const name of ['one', 'two']) await running.host.accept(name)
  const { token } = await running.host.principals.make({ name: 'editor' })
  const http = { headers: { authorization: `Bearer ${token}` } }
  await using mcp = await connect(new URL(`${running.host.url}/profile/small`), { http })
  assert.deepEqual(
    (await mcp.tools.list().all()).map(({ name }) => name),
    ['one__echo'],
  )
  await assert.rejects(mcp.tools.call('one__pid', {}), /no such tool here/)
  await assert.rejects(connect(new URL(`${running.host.url}/profile/none`), { http }), /404/)
  const said = running.state.problems.map(describeProblem).join()
  assert.match(said, /profiles\.odd\.servers\.0 names no server: "three"; write "one" or "two"$/)
})
