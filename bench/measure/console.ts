import type { Group, Measurement } from './measurement.ts'

/** Console under load: ten thousand tools, two thousand events and lines of stderr a second, five megabytes of text. */
export const console: Measurement = {
  name: 'console',
  title: 'the console in Chromium, with a host of its own in each round',
  groups: ({ quick }) => {
    const rounds = quick ? 1 : 3
    // a browser and a host are loaded when this is measured, and not with the list of measurements
    const tools = everyRound(async () => (await import('../console/many-tools.ts')).manyTools())
    const events = everyRound(async () => (await import('../console/many-events.ts')).manyEvents())
    const lines = everyRound(async () => (await import('../console/many-lines.ts')).manyLines())
    const dies = everyRound(async () => (await import('../console/server-dies.ts')).serverDies())
    const text = everyRound(async () => (await import('../console/long-text.ts')).longText())
    return [
      group('10 000 tools, elements', 'elements', rounds, async (round) => (await tools(round)).elements),
      group('10 000 tools, main thread', 'ms', rounds, async (round) => (await tools(round)).busyMs),
      group('10 000 tools, longest gap', 'ms', rounds, async (round) => (await tools(round)).longestGapMs),
      group('10 000 tools, filter', 'ms', rounds, async (round) => (await tools(round)).filterMs),
      group('2 000 events a second, p95 gap', 'ms', rounds, async (round) => (await events(round)).p95GapMs),
      group('2 000 events a second, elements', 'elements', rounds, async (round) => (await events(round)).elements),
      group('2 000 events a second, main thread', 'ms', rounds, async (round) => (await events(round)).busyMs),
      group('2 000 lines of stderr a second, p95 gap', 'ms', rounds, async (round) => (await lines(round)).p95GapMs),
      group(
        '2 000 lines of stderr a second, elements',
        'elements',
        rounds,
        async (round) => (await lines(round)).elements,
      ),
      group('2 000 lines of stderr a second, main thread', 'ms', rounds, async (round) => (await lines(round)).busyMs),
      group('a server that died, until the page says so', 'ms', rounds, dies),
      group('5 MB text, main thread', 'ms', rounds, async (round) => (await text(round)).busyMs),
      group('5 MB text, longest gap', 'ms', rounds, async (round) => (await text(round)).longestGapMs),
    ]
  },
}

/** All figures of one round come from one run. */
function everyRound<Figures>(run: () => Promise<Figures>): (round: number) => Promise<Figures> {
  const runs = new Map<number, Promise<Figures>>()
  return (round) => {
    const known = runs.get(round) ?? run()
    runs.set(round, known)
    return known
  }
}

function group(title: string, unit: string, rounds: number, figure: (round: number) => Promise<number>): Group {
  const open = async () => {
    let round = 0
    return {
      async sample() {
        round += 1
        return { value: await figure(round) }
      },
      close: async () => {},
    }
  }
  return { title, unit, better: 'less', rounds, entrants: [{ contestant: 'trunkline', variant: '', open }] }
}
