import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { gitHttpBackend } from '@trunkline/server-kit/git-http-backend'
import { call, clientOf, codeOf, TestRepository, writeHook } from './test-repository.ts'

interface Items {
  readonly items: readonly { readonly [name: string]: unknown }[]
  readonly next?: string
  readonly notes?: readonly string[]
}

interface Plan {
  readonly state: string
  readonly plan: string
  readonly conflicts: readonly { readonly hunks: readonly { readonly hunk: string }[] }[]
}

/** Numbers that look random and are the same for a seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

test('model: random edits, commits, branches and merges through the tools are what git says', async () => {
  const seed = Number(process.env.MODEL_SEED ?? Date.now() % 1_000_000)
  const random = randomFrom(seed)
  using repository = new TestRepository({ 'a.txt': '1\n2\n3\n4\n5\n', 'b.txt': 'x\n' })
  await using client = await clientOf(repository.path)
  const files = ['a.txt', 'b.txt', 'c/d.txt']
  const branches = ['main']
  const steps: string[] = []
  const edit = () => {
    const file = files[random(files.length)] ?? 'a.txt'
    const path = join(repository.path, file)
    if (existsSync(path) && random(8) === 0) return rmSync(path)
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : ['new', '']
    lines[random(lines.length)] = `${steps.length}`
    repository.write({ [file]: lines.join('\n') })
  }
  const moves = [
    async () => {
      edit()
      const { error } = await call<{ error?: object }>(client, 'create_commit', {
        message: `step ${steps.length}`,
        paths: ['.'],
      })
      return error === undefined ? 'commit' : 'nothing to commit'
    },
    async () => {
      const name = `branch-${branches.length}`
      await call(client, 'switch_branch', { name, create: true, from: branches[random(branches.length)] })
      branches.push(name)
      return `create ${name}`
    },
    async () => {
      const name = branches[random(branches.length)] ?? 'main'
      await call(client, 'switch_branch', { name })
      return `switch ${name}`
    },
    async () => {
      const ref = branches[random(branches.length)] ?? 'main'
      const { state, plan, conflicts } = await call<Plan>(client, 'merge_ref', { ref })
      const isClean = repository.exitCode('merge-tree', '--write-tree', 'HEAD', ref) === 0
      assert.equal(state === 'conflicts', !isClean)
      const resolutions = conflicts.flatMap(({ hunks }) =>
        hunks.map(({ hunk }) => ({ hunk, take: random(2) === 0 ? 'ours' : 'theirs' })),
      )
      if (state !== 'upToDate')
        assert.equal((await call<Plan>(client, 'merge_ref', { ref, plan, resolutions })).state, 'done')
      return `merge ${ref}: ${state}`
    },
  ]
  try {
    for (let at = 0; at < 20; at++) {
      steps.push((await (moves[at < 4 ? 0 : random(moves.length)] ?? moves[0])?.()) ?? '')
      assert.equal(repository.git('status', '--porcelain'), '')
    }
    repository.git('fsck', '--strict', '--no-dangling')
    const { items } = await call<Items>(client, 'list_commits', { limit: 100 })
    assert.deepEqual(
      items.map(({ sha, subject }) => `${`${sha}`} ${subject}`),
      repository.git('log', '--format=%h %s', '--abbrev=12').split('\n'),
    )
    const refs = await call<Items>(client, 'list_refs', { limit: 100 })
    assert.deepEqual(refs.items.map(({ name }) => name).sort(), [...branches].sort())
    edit()
    const { files: changed } = await call<{ files: { path: string }[] }>(client, 'show_diff')
    const shown = repository.git('diff', 'HEAD', '--name-only').split('\n').filter(Boolean)
    assert.deepEqual(
      changed.map(({ path }) => path),
      shown,
    )
  } catch (error) {
    throw new Error(`seed ${seed} (MODEL_SEED): ${steps.join(', ')}`, { cause: error })
  }
})

test('merge_ref: asks the person about each file where the client can ask, however many there are', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `file${10 + at}.txt`)
  const all = (text: string) => Object.fromEntries(names.map((name) => [name, text]))
  using repository = new TestRepository(all('1\n'))
  repository.git('switch', '-q', '-c', 'topic')
  repository.write(all('theirs\n'))
  repository.commit('theirs')
  repository.git('switch', '-q', 'main')
  repository.write(all('ours\n'))
  repository.commit('ours')
  const asked: string[] = []
  await using client = await clientOf(repository.path, {}, (message) => {
    asked.push(message)
    return { hunk1: message.includes('file10') ? 'theirs' : 'both' }
  })
  const { plan } = await call<Plan>(client, 'merge_ref', { ref: 'topic' })
  assert.equal((await call<Plan>(client, 'merge_ref', { ref: 'topic', plan })).state, 'done')
  assert.deepEqual(
    asked,
    names.map((name) => `Which side of "${name}" (contents) do you want?`),
  )
  assert.deepEqual(
    names.map((name) => readFileSync(join(repository.path, name), 'utf8')),
    names.map((name) => (name === 'file10.txt' ? 'theirs\n' : 'ours\ntheirs\n')),
  )
})

test('fetch_remote, push_branch: against git over HTTP, with a lease, and never by an address', async () => {
  using repository = new TestRepository({ 'a.txt': '1\n' })
  const bare = join(repository.top, '..', 'bare.git')
  mkdirSync(bare)
  repository.git('init', '-q', '--bare', bare)
  repository.git('--git-dir', bare, 'config', 'http.receivepack', 'true')
  await using http = await httpBackend(join(bare, '..'))
  repository.git('remote', 'add', 'origin', `${http.url}/bare.git`)
  await using client = await clientOf(repository.path)
  const first = repository.git('rev-parse', 'HEAD')
  const { effects } = await client.tools.preview('push_branch' as never, {} as never)
  assert.match(
    effects.join('\n'),
    /pushes "main" \([0-9a-f]{12}\) of project to "http:.*" *, with 1 commits:\n[0-9a-f]{12} "Ada": "first"/,
  )
  assert.deepEqual(await call(client, 'push_branch'), { ref: 'main', to: first, hooksSkipped: [] })
  repository.write({ 'a.txt': '2\n' })
  const second = repository.commit('second')
  assert.deepEqual(await call(client, 'push_branch'), { ref: 'main', from: first, to: second, hooksSkipped: [] })
  repository.git('reset', '-q', '--hard', first)
  repository.write({ 'a.txt': '3\n' })
  const third = repository.commit('third')
  assert.equal(await codeOf(client, 'push_branch'), 'conflict')
  assert.equal(await codeOf(client, 'push_branch', { expect: first }), 'conflict')
  assert.equal((await call(client, 'push_branch', { expect: second })).to, third)
  repository.git('--git-dir', bare, 'update-ref', 'refs/heads/other', first)
  repository.git('update-ref', '-d', 'refs/remotes/origin/main')
  const { items } = await call<Items>(client, 'fetch_remote', { prune: true })
  assert.deepEqual(
    items.map(({ ref, from, to }) => [ref, from, to]),
    [
      ['refs/remotes/origin/main', undefined, third.slice(0, 12)],
      ['refs/remotes/origin/other', undefined, first.slice(0, 12)],
    ],
  )
  repository.git('branch', '--set-upstream-to=origin/other')
  const tracking = { upstream: 'origin/other', ahead: 1, behind: 0 }
  const [main] = (await call<Items>(client, 'list_refs')).items
  assert.deepEqual({ ...main, ...tracking, name: 'main' }, main)
  const status = await call(client, 'get_status')
  assert.deepEqual({ ...status, ...tracking }, status)
  const remotes = await call<Items>(client, 'list_refs', { kind: 'remote', text: 'OTHER' })
  assert.deepEqual(
    remotes.items.map(({ name }) => name),
    ['origin/other'],
  )
  repository.git('branch', '--unset-upstream')
  // the person sends what is meant for GitHub elsewhere: the link is made of the address of the remote alone
  repository.git('config', '--global', `url.${http.url}/bare.git.insteadOf`, 'https://github.com/ada/shop.git')
  repository.git('remote', 'add', 'hub', 'https://github.com/ada/shop.git')
  repository.git('branch', 'fix/a')
  const link = 'https://github.com/ada/shop/pull/new/fix/a'
  const pushed = await client.tools.call('push_branch' as never, { remote: 'hub', branch: 'fix/a' } as never)
  assert.deepEqual(pushed.structuredContent, { ref: 'fix/a', to: third, link, hooksSkipped: [] })
  assert.match(JSON.stringify(pushed.content), /Open a pull request: https:\/\/github\.com\/ada/)
  assert.equal((await call(client, 'push_branch', { remote: 'hub' })).link, undefined)
  const hash = writeHook(repository, 'pre-push', 'cat > .git/pushed; echo "$1 is closed"; exit 1')
  await using hooked = await clientOf(repository.path, { hooks: 'accepted', acceptHooks: [hash] })
  repository.git('branch', 'fix/b')
  const closed = await call<{ error: { code: string; message: string } }>(hooked, 'push_branch', { branch: 'fix/b' })
  assert.equal(closed.error.code, 'refused')
  assert.match(closed.error.message, /^The hook pre-push refused: it says "origin is closed/)
  assert.match(
    readFileSync(join(repository.path, '.git/pushed'), 'utf8'),
    new RegExp(`${third} refs/heads/fix/b 0{40}`),
  )
  assert.equal(repository.exitCode('--git-dir', bare, 'rev-parse', '--verify', 'refs/heads/fix/b'), 128)
  repository.git('config', 'remote.origin.pushurl', 'https://example.org/elsewhere.git')
  const { effects: elsewhere } = await client.tools.preview('push_branch' as never, {} as never)
  assert.match(elsewhere.join('\n'), /of project to "https:\/\/example\.org\/elsewhere\.git"/)
  await http[Symbol.asyncDispose]()
  assert.equal(await codeOf(client, 'fetch_remote'), 'unavailable')
})

test('list_commits: with 100 000 commits it reads what it reads with 1 000, and a filtered list stops at a budget', async () => {
  using repository = new TestRepository()
  const packs = (count: number, branch: string) =>
    Array.from({ length: count }, (_, at) => {
      const message = `commit ${at}`
      return `commit refs/heads/${branch}\nmark :${at + 1}\ncommitter ${at % 1_000 === 7 ? 'Rare' : 'Ada'} <a@x.org> ${1_600_000_000 + at} +0000\ndata ${message.length}\n${message}\n${at > 0 ? `from :${at}\n` : ''}${at < 4 ? `M 100644 inline ${at === 3 ? 'rare' : 'file'}.txt\ndata 1\n${at}\n` : ''}\n`
    }).join('')
  repository.fastImport(packs(1_000, 'small'))
  repository.fastImport(packs(100_000, 'large'))
  await using client = await clientOf(repository.path)
  const read = async (args: object) => {
    const trace = join(repository.top, '..', 'trace')
    rmSync(trace, { force: true })
    process.env.GIT_TRACE_PACK_ACCESS = trace
    const page = await call<Items>(client, 'list_commits', args as never)
    delete process.env.GIT_TRACE_PACK_ACCESS
    return { page, objects: readFileSync(trace, 'utf8').split('\n').length }
  }
  const [small, large] = [await read({ ref: 'small' }), await read({ ref: 'large' })]
  assert.equal(large.page.items.length, 20)
  assert.ok(
    large.objects <= 3 * small.objects,
    `${large.objects} objects were read of 100 000 commits, ${small.objects} of 1 000`,
  )
  const filtered = await read({ ref: 'large', path: 'rare.txt' })
  assert.deepEqual(filtered.page.items, [])
  assert.match(`${filtered.page.notes}`, /^looked at 5000 commits, back to 20/)
  assert.ok(filtered.page.next !== undefined)
  const byAuthor = await call<Items>(client, 'list_commits', { ref: 'large', author: 'rare' })
  assert.equal(byAuthor.items.length, 5)
})

/** A web server that answers with `git http-backend`. */
async function httpBackend(root: string) {
  const server = createServer(gitHttpBackend(root))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
