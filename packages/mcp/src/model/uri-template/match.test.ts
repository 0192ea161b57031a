import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTemplate, type TemplateValues } from './uri-template.ts'

const matches: readonly [template: string, uri: string, variables: TemplateValues][] = [
  // literals
  ['', '', {}],
  ['file:///a', 'file:///a', {}],
  ['docs://café/{x}', 'docs://caf%C3%A9/1', { x: '1' }],
  ['docs://caf%C3%A9/{x}', 'docs://café/1', { x: '1' }],
  ['docs://caf%c3%a9/{x}', 'docs://caf%C3%A9/1', { x: '1' }],
  // one value, as short as the rest allows
  ['users://{id}/profile', 'users://a%2Fb/profile', { id: 'a/b' }],
  ['{x}', '100%2525', { x: '100%25' }],
  ['{x}', 'köln am rhein', { x: 'köln am rhein' }],
  ['{x}-{y}', 'a-b-c', { x: 'a', y: 'b-c' }],
  ['{x}-b', 'a-b-b', { x: 'a-b' }],
  ['{x}aab', 'aaaab', { x: 'aa' }],
  ['{x}{y}', 'abc', { x: 'a', y: 'bc' }],
  ['{x}{y}', '%C3%A9b', { x: 'é', y: 'b' }],
  ['{x}A{y}', '%4AAb', { x: 'J', y: 'b' }],
  ['{x}{.ext}', 'archive.tar.gz', { x: 'archive', ext: 'tar.gz' }],
  ['{x}{.ext}', 'readme', { x: 'readme' }],
  // reserved characters
  ['file:///{+path}', 'file:///a/b?c#d', { path: 'a/b?c#d' }],
  ['file:///{+path}{?q}{#at}', 'file:///a/b?q=1#top', { path: 'a/b', q: '1', at: 'top' }],
  ['file:///{+path}{?q}', 'file:///a/b?r=1', { path: 'a/b?r=1' }],
  ['{+path}/here', '/foo/bar/here', { path: '/foo/bar' }],
  ['x{#at}', 'x#', { at: '' }],
  ['x{#at}', 'x', {}],
  // several values in one expression
  ['{x,y}', '1,2', { x: '1', y: '2' }],
  ['{x,y}', '1', { x: '1' }],
  ['{x,y}', '1,2,3', { x: '1', y: '2,3' }],
  ['{x,y}', ',', { x: '', y: '' }],
  ['{/a,b}/c', '/1/2/c', { a: '1', b: '2' }],
  ['{/a,b}/c', '/1/c', { a: '1' }],
  ['{/a,b}', '', {}],
  ['{/a}{/b}', '/1', { a: '1' }],
  ['{/a}{/b}', '//2', { a: '', b: '2' }],
  ['X{.a,b}', 'X.1.2.3', { a: '1', b: '2.3' }],
  // lists and maps
  ['{list*}', 'a', { list: ['a'] }],
  ['{list*}', 'a,b%2C,', { list: ['a', 'b,', ''] }],
  ['{/list*}', '/a//b', { list: ['a', '', 'b'] }],
  ['{/list*}{/last}', '/a/b/c', { list: ['a', 'b'], last: 'c' }],
  ['{/list*,path:4}', '/red/green/%2Ffoo', { list: ['red', 'green'], path: '/foo' }],
  ['X{.list*}', 'X.a.b', { list: ['a', 'b'] }],
  ['{keys*}', 'a=1,b==,c=', { keys: { a: '1', b: '=', c: '' } }],
  ['{/keys*}', '/a=1/b%3D=2', { keys: { a: '1', 'b=': '2' } }],
  ['{?list*}', '?list=a&list=b', { list: ['a', 'b'] }],
  ['{?keys*}', '?a=1&b=2', { keys: { a: '1', b: '2' } }],
  ['{?id,keys*}', '?a=1&id=7&b=2', { id: '7', keys: { a: '1', b: '2' } }],
  ['{?id,token}{&keys*}', '?id=1&token=2&a=3', { id: '1', token: '2', keys: { a: '3' } }],
  // names
  ['{?a,b}', '?b=2&a=1', { a: '1', b: '2' }],
  ['{?a,b}', '?b=/x?y', { b: '/x?y' }],
  ['{?a,b}', '', {}],
  ['{?a}', '?a', { a: '' }],
  ['{?a}{&b}', '&b=2', { b: '2' }],
  ['?fixed=yes{&x}', '?fixed=yes&x=1', { x: '1' }],
  ['{;x,y,empty}', ';y=2;empty;x=1', { x: '1', y: '2', empty: '' }],
  ['{;x}/y', ';x=1/y', { x: '1' }],
  // prefixes and repeated variables
  ['{year:4}{month:2}', '202607', { year: '2026', month: '07' }],
  ['{clef:1}{rest}', '%F0%9D%84%9Estave', { clef: '𝄞', rest: 'stave' }],
  ['{/var:1,var}', '/v/value', { var: 'value' }],
  ['{var}/{var:2}/{var:9}', 'value/va/value', { var: 'value' }],
  ['{?x,x}', '?x=1&x=1', { x: '1' }],
  ['{list*}/{list*}', 'a,b/a,b', { list: ['a', 'b'] }],
]

for (const [template, uri, variables] of matches)
  test(`match: ${template} reads ${uri}`, () => {
    assert.deepEqual(ordinary(parseTemplate(template).match(uri)), variables)
  })

const mismatches: readonly [template: string, uri: string, because: string][] = [
  ['', 'a', 'nothing stands for it'],
  ['a{x}', 'b1', 'another literal'],
  ['users://{id}/profile', 'users:///profile', 'nothing is no value'],
  ['{+x}', '', 'nothing is no value'],
  ['{x}', 'a/b', 'a slash is reserved'],
  ['{x}', 'a?b', 'a question mark is reserved'],
  ['{x}', '%ff', 'not UTF-8'],
  ['{x}', '%C3', 'half a character'],
  ['{x}', '%ED%A0%80', 'an encoded surrogate'],
  ['{x}', '%C0%AF', 'an overlong slash'],
  ['{x}', '%zz', 'no triplet'],
  ['{+x}', '5%', 'no triplet'],
  ['{x}', '\ud800', 'a lone surrogate'],
  ['{/a,b}', '/1/2/3', 'more segments than variables'],
  ['{?a,b}', '?a=1&c=3', 'an unknown name'],
  ['{?a}', '?a=1&a=2', 'two values'],
  ['{?a}', '?a=1&a=1', 'a value more than the template names'],
  ['{x}{?x}', 'a', 'a value less than the template names'],
  ['{?a}', '?toString=1', 'an unknown name'],
  ['{?a}', '?a%3D1', 'an encoded equals sign'],
  ['{?keys*}', '?k=1&k=2', 'a key that occurs twice'],
  ['{x:2}', 'abc', 'longer than its prefix'],
  ['{?x:2}', '?x=abc', 'longer than its prefix'],
  ['{x}/{x}', 'a/b', 'two values'],
  ['{x:1}/{x}', 'b/abc', 'two values'],
  ['{x*}/{x}', 'a/a', 'a list and a string'],
]

for (const [template, uri, because] of mismatches)
  test(`match: ${template} does not read ${JSON.stringify(uri)}: ${because}`, () => {
    assert.equal(parseTemplate(template).match(uri), undefined)
  })

test('match: the names of variables and keys are data', () => {
  const found = parseTemplate('{/__proto__}{?constructor,keys*}').match('/a?constructor=b&__proto__=c&toString=d')
  assert.ok(found)
  assert.equal(Object.getPrototypeOf(found), null)
  assert.deepEqual(Object.keys(found), ['__proto__', 'constructor', 'keys'])
  assert.deepEqual(Object.values(found).slice(0, 2), ['a', 'b'])
  assert.deepEqual(Object.entries(found.keys ?? {}), [
    ['__proto__', 'c'],
    ['toString', 'd'],
  ])
  assert.equal(parseTemplate('{?toString}').match('')?.toString, undefined)
})

test('match: reads a URI of 8192 bytes and none that is longer, however it is spelled', () => {
  const template = parseTemplate('{x}')
  assert.ok(template.match('a'.repeat(8192)))
  assert.equal(template.match('a'.repeat(8193)), undefined)
  assert.ok(template.match('é'.repeat(1365)))
  assert.equal(template.match('é'.repeat(1366)), undefined)
  assert.equal(parseTemplate('{x}', { maxUriLength: 2 }).match('abc'), undefined)
})

function ordinary(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
