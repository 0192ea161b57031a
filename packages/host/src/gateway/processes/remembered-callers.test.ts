import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { lacking } from '../../../../../tools/lib/needs.ts'
import { temporaryFolder } from '../../../test/temporary-folder.ts'
import { openStore } from '../../store/store.ts'
import { processTables } from '../../store/tables/caller-process-table.ts'
import { callerChain } from './caller-chain.ts'
import { type SeenProcess, seeProcess } from './process-table.ts'
import { RememberedCallers, type RememberedCallersOptions } from './remembered-callers.ts'

const skip = lacking('linux', process.platform === 'linux')

function opened(options: RememberedCallersOptions = {}) {
  const folder = temporaryFolder()
  const path = join(folder.path, 'a.db')
  const rooms = [processTables]
  let store = openStore({ path, rooms })
  return {
    callers: new RememberedCallers(store, options),
    async again(): Promise<RememberedCallers> {
      await store.close()
      store = openStore({ path, rooms })
      const callers = new RememberedCallers(store, options)
      await callers.load()
      return callers
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      folder[Symbol.dispose]()
    },
  }
}

/** A shell that says the process number of a child it waits for, or leaves. */
async function shell(line: string, detached = true): Promise<{ child: ChildProcess; printed: number } & Disposable> {
  const child = spawn('sh', ['-c', line], { stdio: ['pipe', 'pipe', 'inherit'], detached })
  const [text] = await once(child.stdout, 'data')
  const printed = Number(text)
  // a child in a session of its own leads a group too
  return { child, printed, [Symbol.dispose]: () => [child.pid ?? 0, printed].forEach(killGroup) }
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // it ended meanwhile
  }
}

const seen = async (pid = 0): Promise<SeenProcess> => (await seeProcess(pid)) ?? assert.fail(`Cannot see ${pid}`)

describe('RememberedCallers', { skip }, () => {
  it('knows descendants of a caller, in a session of its own too, and not the process that started it', async () => {
    await using at = opened()
    using agent = await shell('setsid sh -c "echo \\$\\$; exec sleep 600" & wait')
    await at.callers.remember([await seen(agent.child.pid)], 'p')
    assert.notEqual((await seen(agent.printed)).group, agent.child.pid)
    assert.equal((await at.callers.above(agent.printed))?.pid, agent.child.pid)
    assert.equal(await at.callers.above(process.pid), undefined)
  })

  it('knows a process whose parents ended by its process group, and after the store was opened anew', async () => {
    await using at = opened()
    using agent = await shell('(sleep 600 & echo $!); read line')
    await at.callers.remember([await seen(agent.child.pid)], 'p')
    const ended = once(agent.child, 'exit')
    agent.child.stdin?.end('\n')
    await ended
    const callers = await at.again()
    assert.equal((await callers.above(agent.printed))?.pid, agent.child.pid)
  })

  it('does not know a later process of the same number', async () => {
    await using at = opened()
    using agent = await shell('sleep 600 & echo $!; wait')
    const caller = await seen(agent.child.pid)
    await at.callers.remember([{ ...caller, startedAt: '1' }], 'p')
    assert.equal(await at.callers.above(agent.printed), undefined)
  })

  it('forgets after a while, and keeps as many as its limit', async () => {
    await using at = opened({ holdsMs: 0 })
    const one = await seen(process.pid)
    await at.callers.remember([one], 'p')
    await new Promise((resolve) => setTimeout(resolve, 2))
    assert.equal(await at.callers.above(process.pid), undefined)
    await using few = opened({ maxProcesses: 3 })
    for (const pid of [1, 2, 3, 4, 5]) await few.callers.remember([{ ...one, pid }], 'p')
    assert.equal(few.callers.size, 3)
    assert.equal((await few.again()).size, 3)
  })
})

describe('callerChain', { skip }, () => {
  it('goes from a bridge past scripts to the client, and no further', async () => {
    using folder = temporaryFolder()
    const [bridge, wrapper] = ['trunkline', 'wrapper.sh'].map((name) => join(folder.path, name))
    writeFileSync(bridge ?? '', 'echo $$; read line')
    writeFileSync(wrapper ?? '', `sh '${bridge}' stdio; true`)
    const program = `require('node:child_process').spawn('sh', [${JSON.stringify(wrapper)}], { stdio: 'inherit' })`
    using agent = await shell(`'${process.execPath}' -e '${program.replaceAll("'", `'\\''`)}'; true`)
    const chain = await callerChain(agent.printed)
    assert.deepEqual(
      chain.map(({ words: [name, first] }) => (name === 'sh' ? first : 'the client')),
      [bridge, wrapper, 'the client'],
    )
  })

  it('takes no program for the bridge because its arguments name one', async () => {
    const script = 'console.log(process.pid); process.stdin.resume()'
    using agent = await shell(`'${process.execPath}' -e '${script}' trunkline stdio; true`)
    assert.deepEqual(
      (await callerChain(agent.printed)).map(({ pid }) => pid),
      [agent.printed],
    )
  })

  it('leaves out the command itself, and a script that runs it, where a person is asked in place', async () => {
    using folder = temporaryFolder()
    const command = join(folder.path, 'trunkline')
    writeFileSync(command, 'echo $$; read line')
    using script = await shell(`sh '${command}' call one echo; true`)
    const asked = await callerChain(script.printed, { withoutCommand: true })
    assert.equal(
      asked.some(({ words }) => words.includes(command)),
      false,
    )
    assert.equal((await callerChain(script.printed))[0]?.pid, script.printed)
  })
})
