import { type Mutation, mutationsOf } from '../../mutation.ts'

/** What is offered where, to whom. */
export const gateway: readonly Mutation[] = mutationsOf('host', [
  {
    breaks: 'a kept result is read where its server is not offered',
    file: 'src/gateway/targets.ts',
    from: 'if (!view.servers().includes(server))\n',
    to: 'if (!view.servers())\n',
    noticedBy: ['test/challenges/05-large-results.test.ts'],
  },
  {
    breaks: 'a page opens a connection of lines',
    file: 'src/gateway/line-socket.ts',
    from: ' || headers.origin !== undefined',
    to: '',
    noticedBy: ['test/gateway/front-door.test.ts'],
  },
])
