/** The 17 hostile servers of a flooded host, and its memory, for a test that loads no host itself. */

/** Memory of a process in MB. */
export interface Weight {
  readonly rss: number
  /** Part that the program itself keeps: on the heap, and in buffers outside of it. */
  readonly kept: number
}

const floods = ['listings', 'resources', 'logs', 'forms', 'prompts', 'roots', 'pings', 'answers', 'noise']

/** The hostile servers, each with the tool that begins it. */
export const hostile: { readonly [server: string]: string } = Object.fromEntries([
  ...floods.map((kind) => [`flooder-${kind}`, 'flood']),
  ...['hang', 'crash'].map((kind) => [`unruly-${kind}`, 'misbehave']),
  ['endless-line', 'get_it'],
  ...['tools', 'result', 'depth', 'noise', 'stderr'].map((kind) => [`oversized-${kind}`, 'get_it']),
])
