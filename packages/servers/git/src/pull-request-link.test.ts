import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pullRequestLink } from './pull-request-link.ts'

test('pullRequestLink: the page of each known product, from every form of an address', () => {
  const github = 'https://github.com/ada/shop/pull/new/fix/a%23b'
  for (const address of [
    'https://github.com/ada/shop',
    'https://github.com/ada/shop.git',
    'https://GitHub.com/ada/shop/',
    'https://ada:token@github.com/ada/shop.git',
    'ssh://git@github.com/ada/shop.git',
    'git@github.com:ada/shop.git',
  ])
    assert.equal(pullRequestLink(address, 'fix/a#b'), github, address)
  assert.equal(
    pullRequestLink('git@gitlab.com:group/sub/shop.git', 'fix/a&b'),
    'https://gitlab.com/group/sub/shop/-/merge_requests/new?merge_request%5Bsource_branch%5D=fix%2Fa%26b',
  )
  assert.equal(
    pullRequestLink('https://bitbucket.org/ada/shop.git', 'fix'),
    'https://bitbucket.org/ada/shop/pull-requests/new?source=fix',
  )
  assert.equal(pullRequestLink('https://codeberg.org/ada/shop', 'fix'), 'https://codeberg.org/ada/shop/compare/fix')
})

test('pullRequestLink: no link for other hosts, ports, and paths that are no repository', () => {
  for (const address of [
    'https://example.org/ada/shop.git',
    'https://github.com.example.org/ada/shop.git',
    'https://github.com@example.org/ada/shop.git',
    'https://github.com:8443/ada/shop.git',
    'http://github.com/ada/shop.git',
    'https://github.com/ada',
    'https://github.com/ada/shop/more',
    'https://github.com/../shop',
    'https://github.com/ada/shop?x=//example.org',
    'https://github.com/ada/sh%2fop',
    'git@evil:github.com/ada/shop',
    '/github.com/ada/shop',
    'constructor:ada/shop',
  ])
    assert.equal(pullRequestLink(address, 'fix'), undefined, address)
})
