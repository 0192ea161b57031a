import type { Mutation } from '../mutation.ts'

/** Programs and pipes. */
export const processes: readonly Mutation[] = [
  {
    breaks: 'a program gets the whole environment, secrets included',
    file: 'src/transports/stdio/child-environment.ts',
    from: 'Object.entries(baseEnv ?? {})',
    to: 'Object.entries(process.env as Record<string, string>)',
    noticedBy: ['src/transports/stdio/child-environment.test.ts'],
  },
  {
    breaks: 'a line break in an argument is passed on',
    file: 'src/transports/stdio/spawn-target.ts',
    from: 'if (texts.some((text) => /[\\0\\r\\n]/.test(text))) {',
    to: "if (texts.includes('never')) {",
    noticedBy: ['src/transports/stdio/spawn-target.test.ts'],
  },
  {
    breaks: 'a program that ignores the end of its input lives on',
    file: 'src/transports/stdio/child-program.ts',
    from: 'if (!(await settlesWithin(this.exited, this.#graceMs))) await this.#tree?.stop(this.#graceMs)',
    to: 'await settlesWithin(this.exited, this.#graceMs)',
    noticedBy: ['src/transports/stdio/spawn-tree.test.ts'],
  },
  {
    breaks: 'a line is as long as it likes',
    file: 'src/transports/stdio/line-splitter.ts',
    from: 'this.#begun.length + bytes.length > this.maxBytes',
    to: 'this.#begun.length + bytes.length < 0',
    noticedBy: ['src/transports/stdio/line-splitter.test.ts'],
    threat: 42,
  },
  {
    breaks: 'stray output of a program is no noise',
    file: 'src/transports/stdio/message-reader.ts',
    from: 'this.#onNoise?.(line.slice(0, noiseLength))',
    to: 'undefined',
    noticedBy: ['src/transports/stdio/stdio-channel.test.ts'],
    threat: 42,
  },
  {
    breaks: 'calls stay open when a program exits',
    file: 'src/transports/stdio/stdio-channel.ts',
    from: 'this.#receiver?.closed(this.#reason)\n    await',
    to: 'await',
    noticedBy: ['src/transports/stdio/spawn.test.ts'],
    threat: 42,
  },
  {
    breaks: 'what waits for a program that does not read has no end',
    file: 'src/transports/stdio/message-writer.ts',
    from: 'return this.isFull ? Promise.reject',
    to: 'return this.#queue.length < 0 ? Promise.reject',
    noticedBy: ['src/transports/stdio/message-writer.test.ts'],
    threat: 15,
  },
  {
    breaks: 'a server over stdio reads on while its answers are not read',
    file: 'src/transports/stdio/stdio-channel.ts',
    from: '    input.pause()\n',
    to: '\n',
    noticedBy: ['src/transports/stdio/stdio-channel.test.ts'],
    threat: 15,
  },
  {
    breaks: 'answers over stdio are lost when too much is unread',
    file: 'src/transports/stdio/stdio-channel.ts',
    from: "isNotification || !('method' in message) ?",
    to: 'isNotification ?',
    noticedBy: ['src/transports/stdio/stdio-channel.test.ts'],
    threat: 15,
  },
]
