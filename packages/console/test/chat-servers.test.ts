import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { bundledProgram, bundledServers, presetClasses } from '../../cli/src/host/bundled-servers.ts'
import { commandPath, sourcesPath } from '../../cli/test/command-path.ts'
import { providerKey, scriptedProvider } from '../../host/test/model/scripted-provider.ts'
import type { Person } from '../../host/test/run/person.ts'
import { temporaryFolder } from '../../host/test/temporary-folder.ts'
import { noBrowser } from '../../mcp/test/fixtures/browser.ts'
import { openConsole } from './open-page.ts'
import { githubOf, mend, type RepositoryAtGithub, repositoryAtGithub } from './repository-at-github.ts'
import { sharedBrowser } from './shared-browser.ts'

/** The program of a bundled server, of the built command where there is one: it starts in half the time. */
function programOf(name: string): string {
  if (commandPath === sourcesPath) return bundledProgram(name) ?? assert.fail()
  return join(dirname(commandPath), '../lib/command', `${name}-server.js`)
}

/** The entry of a bundled server, with the marks and classes that `trunkline add` writes. */
function bundledEntry(name: string, args: readonly string[], env: object = {}): object {
  const server = bundledServers[name]
  assert.ok(server)
  return {
    command: process.execPath,
    args: [programOf(name), ...args],
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', ...env },
    ...(server.data.length > 0 && { data: server.data }),
    classes: presetClasses(server),
  }
}

test('chat with git, github and code: a test that fails since the release is mended, and a pull request opened; reads are not asked about, writes are shown first', {
  skip: noBrowser,
}, async () => {
  await using provider = await scriptedProvider()
  using remotes = temporaryFolder()
  await using github = await githubOf(remotes.path)
  let at: RepositoryAtGithub | undefined
  const settings = ({ project, home }: Person) => {
    at = repositoryAtGithub(github, { folder: project, home, remotes: remotes.path })
    return {
      models: { best: { provider: 'compatible', url: provider.url, key: `\${KEY}` } },
      mcpServers: {
        files: bundledEntry('files', [project]),
        git: bundledEntry('git', [project]),
        code: bundledEntry('code', [project, '--accept', 'node --test']),
        github: bundledEntry('github', [project, '--repo', 'ada/open', '--api', github.url], { GITHUB_TOKEN: 'good' }),
      },
    }
  }
  await using open = await openConsole({
    browser: await sharedBrowser(),
    settings,
    accepted: ['files', 'git', 'code', 'github'],
    environment: { KEY: providerKey },
    path: '/chat',
  })
  const { page, ann, faults } = open
  assert.ok(at)
  const { git, gitAtGithub } = at
  let calls = 0
  const call = (name: string, args: object = {}) => ({ id: `call${++calls}`, name, arguments: args })
  provider.say(
    {
      calls: [
        call('git__list_refs', { kind: 'tag' }),
        call('git__show_diff', { from: 'v1.0.0', to: 'HEAD', patch: true }),
      ],
    },
    { calls: [call('code__run_tests')] },
    { calls: [call('files__edit_file', { path: 'total.js', edits: [mend] })] },
    { calls: [call('code__run_tests')] },
    { calls: [call('git__switch_branch', { name: 'count-items', create: true, changes: 'carry' })] },
    { calls: [call('git__create_commit', { message: 'Totals count each item again', paths: ['total.js'] })] },
    { calls: [call('git__push_branch', { branch: 'count-items', remote: 'origin' })] },
    { calls: [call('github__list_items', { kind: 'issues' })] },
    { calls: [call('github__get_issue', { issue: 4 })] },
    { calls: [call('github__create_pull', { title: 'Totals count each item', body: 'Closes #4' })] },
    { text: ['The pull request is open'] },
  )
  /** Waits for a call that runs unasked. */
  const ran = (tool: string) =>
    page
      .getByRole('article', { name: `Call of ${tool}` })
      .getByText('done', { exact: true })
      .waitFor()
  /** Allows a call after a look at what the person is shown, while nothing has happened yet. */
  const asked = async (tool: string, shown: RegExp, isUndone: () => boolean) => {
    const article = page.getByRole('article', { name: `Call of ${tool}` }).last()
    await article.getByRole('heading', { name: `chat wants to call ${tool}` }).waitFor()
    assert.match(await article.innerText(), shown)
    assert.ok(isUndone(), `${tool} has not happened`)
    await article.getByRole('button', { name: 'Allow once' }).click()
    await article.getByText('done', { exact: true }).waitFor()
  }
  await page
    .getByLabel('What you want')
    .fill('What changed since the last release, why does this test fail? Fix it and open a pull request')
  await page.keyboard.press('Enter')
  for (const tool of ['list_refs', 'show_diff']) await ran(tool)
  const source = () => readFileSync(join(ann.project, 'total.js'), 'utf8')
  await asked('run_tests', /run_tests/, () => true)
  await asked('edit_file', /price \* count/, () => source().includes(mend.find))
  await asked('run_tests', /run_tests/, () => true)
  await asked('switch_branch', /count-items/, () => git('branch', '--show-current') === 'main')
  await asked(
    'create_commit',
    /It says that it would[\s\S]*"Totals count each item again"[\s\S]*total\.js/,
    () => git('log', '--format=%s', '-1') === 'Totals are simpler',
  )
  await asked(
    'push_branch',
    /It says that it would[\s\S]*pushes "count-items" \(\w+\) of shop to "http.*ada\/open\.git", with \d+ commits:\n\w+ "Ann": "Totals count each item again"/,
    () => gitAtGithub('branch', '--list', 'count-items') === '',
  )
  for (const tool of ['list_items', 'get_issue']) await ran(tool)
  await asked(
    'create_pull',
    /It says that it would[\s\S]*opens a pull request as a draft: "Totals count each item", "count-items" → "main"[\s\S]*1 commits, 1 files:[\s\S]*in ada\/open, the remote of this folder \(public/,
    () => github.writes.length === 0,
  )
  await page.getByText('The pull request is open').first().waitFor()
  assert.deepEqual(
    github.writes.map(({ method, path, body }) => [method, path, body.head, body.base, body.draft]),
    [['POST', '/repos/ada/open/pulls', 'count-items', 'main', true]],
  )
  assert.equal(gitAtGithub('log', '--format=%s', '-1', 'count-items'), 'Totals count each item again')
  const told = provider.seen.map(({ body }) => JSON.stringify(body.messages))
  assert.match(told[1] ?? '', /v1\.0\.0[\s\S]*price \* count/)
  assert.match(told[2] ?? '', /2 !== 6/)
  assert.match(told[4] ?? '', /1 passed, 0 failed/)
  assert.match(told.at(-1) ?? '', /Totals are too small[\s\S]*Two of three items are free/)
  assert.deepEqual(faults, [])
})
