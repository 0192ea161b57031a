/** Tells the person who waits what is going on. */
export interface Progress {
  say(words: string): void
  done(): void
}

/** Rewrites one line of a terminal; elsewhere it prints a line when something new begins. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  let last = ''
  if (!stream.isTTY)
    return {
      say(words) {
        const beginning = words.split(':')[0] ?? words
        if (beginning !== last) stream.write(`${beginning}\n`)
        last = beginning
      },
      done() {},
    }
  return {
    say(words) {
      stream.write(`\r\x1b[K${words.slice(0, stream.columns - 1)}`)
    },
    done() {
      stream.write('\r\x1b[K')
    },
  }
}
