/** A small project in git with a test that fails since its last release, and a GitHub that has it too. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Answer, FakeGithub, item, repository, type Seen } from '../../servers/github/test/fake-github.ts'

const good = 'items.reduce((sum, { price, count }) => sum + price * count, 0)'
const broken = 'items.reduce((sum, { price }) => sum + price, 0)'
const sourceWith = (sum: string) => `export function total(items) {\n  return ${sum}\n}\n`
const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from './total.js'
test('counts each item', () => assert.equal(total([{ price: 2, count: 3 }]), 6))
`

/** The edit that mends the project. */
export const mend = { find: broken, replace: good }

/** A repository in a folder and its copy at GitHub, each with git at work in it. */
export interface RepositoryAtGithub {
  readonly git: (...args: readonly string[]) => string
  readonly gitAtGithub: (...args: readonly string[]) => string
}

/** Starts a GitHub that has its repositories in a folder. */
export function githubOf(remotes: string): Promise<FakeGithub> {
  const issue = item(4, { title: 'Totals are too small', body: 'Two of three items are free' })
  const state = {
    '/repos/ada/open': repository('open'),
    '/repos/ada/open/issues': [issue],
    '/repos/ada/open/issues/4': issue,
  }
  return FakeGithub.start(state, remotes)
}

/** Makes the repository in a folder and its copy at GitHub; git takes the settings of a home. */
export function repositoryAtGithub(
  github: FakeGithub,
  { folder, home, remotes }: { readonly folder: string; readonly home: string; readonly remotes: string },
): RepositoryAtGithub {
  const gitIn = (cwd: string, ...args: readonly string[]) => {
    const env = { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: '1' }
    return execFileSync('git', [...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd()
  }
  const git = (...args: readonly string[]) => gitIn(folder, ...args)
  const commit = (message: string, files: { readonly [name: string]: string }) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    git('add', '--all')
    git('commit', '-qm', message)
  }
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ann\n\temail = ann@example.org\n')
  git('init', '-q', '-b', 'main')
  const manifest = '{ "type": "module", "scripts": { "test": "node --test" } }\n'
  commit('Totals', { 'package.json': manifest, 'total.js': sourceWith(good), 'total.test.js': test })
  git('tag', 'v1.0.0')
  commit('Totals are simpler', { 'total.js': sourceWith(broken) })
  const bare = join(remotes, 'ada', 'open.git')
  git('clone', '-q', '--bare', '.', bare)
  gitIn(bare, 'config', 'http.receivepack', 'true')
  git('remote', 'add', 'origin', `${github.url}/ada/open.git`)
  const gitAtGithub = (...args: readonly string[]) => gitIn(bare, ...args)
  github.instead = (seen) => answerFrom(gitAtGithub, seen)
  return { git, gitAtGithub }
}

/** Compares and opens only branches that were pushed, as GitHub does. */
function answerFrom(git: (...args: readonly string[]) => string, { method, path, body }: Seen): Answer | undefined {
  const branches = git('for-each-ref', '--format=%(refname:short)', 'refs/heads').split('\n')
  const [, base = '', head = ''] = /\/compare\/(.+)\.\.\.(.+)$/.exec(path) ?? []
  if (method === 'POST' && path.endsWith('/pulls') && !branches.includes(`${body.head}`))
    return { status: 422, body: { message: 'Validation Failed', errors: [{ field: 'head', code: 'invalid' }] } }
  if (!branches.includes(head)) return undefined
  const lines = git('log', '--format=%H %s', `${base}..${head}`).split('\n')
  const commits = lines.map((line) => ({ sha: line.slice(0, 40), commit: { message: line.slice(41) } }))
  const changed = git('diff', '--numstat', `${base}...${head}`).split('\n')
  const files = changed.map((line) => {
    const [additions, deletions, filename] = line.split('\t')
    return { filename, status: 'modified', additions: Number(additions), deletions: Number(deletions) }
  })
  return { status: 200, body: { total_commits: commits.length, commits, files } }
}
