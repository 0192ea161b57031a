import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { FakeGithub, item, repository } from '../test/fake-github.ts'
import { tokenAccess } from './github-access.ts'
import { GithubApi } from './github-api.ts'
import { githubLimits } from './github-limits.ts'

const limits = { ...githubLimits, writeEveryMs: 0 }
const at = { owner: 'ada', repo: 'open' }

test('pauseMs: looks for changes take at most a quarter of the calls that are left', async () => {
  await using fake = await FakeGithub.start({ '/repos/ada/open': repository('open') })
  const api = new GithubApi({ access: tokenAccess('good'), apiUrl: fake.url, limits })
  const reset = Math.ceil(Date.now() / 1_000) + 3_600
  /** The pause after an answer that tells how many calls are left, in parts of the time until there are more. */
  const pauseWith = async (remaining: number, calls: number) => {
    const headers = { 'x-ratelimit-remaining': `${remaining}`, 'x-ratelimit-reset': `${reset}` }
    fake.instead = () => ({ status: 200, headers, body: {} })
    await api.requestFor(undefined)('GET /repos/{owner}/{repo}', at)
    const most = reset * 1_000 - Date.now()
    const pause = api.pauseMs(calls, 1_000)
    const least = reset * 1_000 - Date.now()
    return (parts: number) => assert.ok(pause >= least / parts && pause <= most / parts, `${pause} of ${most}`)
  }
  ;(await pauseWith(4_000, 10))(100)
  ;(await pauseWith(400, 10))(10)
  ;(await pauseWith(39, 10))(1)
  await pauseWith(4_000, 1)
  assert.equal(api.pauseMs(1, 60_000), 60_000)
})

test('GithubApi: at most four reads at a time, and one write', async () => {
  const numbers = Array.from({ length: 8 }, (_, index) => index + 1)
  await using fake = await FakeGithub.start({
    ...Object.fromEntries(numbers.map((number) => [`/repos/ada/open/issues/${number}`, item(number)])),
    '/repos/ada/open/issues': [],
  })
  const api = new GithubApi({ access: tokenAccess('good'), apiUrl: fake.url, limits })
  const request = api.requestFor(undefined)
  let [running, most] = [0, 0]
  const events = new EventTarget()
  const four = once(events, 'four')
  fake.instead = async ({ method }) => {
    most = Math.max(most, ++running)
    if (running === 4) events.dispatchEvent(new Event('four'))
    // reads are held until there are four
    await (method === 'GET' ? four : turn())
    await turn()
    running--
    return undefined
  }
  const read = (issue_number: number) =>
    request('GET /repos/{owner}/{repo}/issues/{issue_number}', { ...at, issue_number })
  await Promise.all(numbers.map(read))
  assert.equal(most, 4)
  most = 0
  await Promise.all(
    numbers.map((number) => request('POST /repos/{owner}/{repo}/issues', { ...at, title: `${number}` })),
  )
  assert.deepEqual([most, fake.writes.length], [1, 8])
})
