/** Tests that look into one process by nature, and are not run behind a balancer: each with its reason. */
export const oneProcess: { readonly [cited: string]: string } = {
  'base: id in use':
    'requests of one session with the same id are refused where both reach one process: see docs/cluster.md',
  'capabilities: are kept': 'takes an offer away in one process, where all processes of a cluster offer the same',
  'changes: end with the watch': 'counts watchers, which each process has that was asked for the session',
}
