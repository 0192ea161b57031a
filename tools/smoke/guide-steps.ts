/** One thing that a guide tells its reader to do. */
export type Step =
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  /** Commands; `stays` if they run until they are stopped, `said` is the output according to the guide. */
  | { readonly kind: 'run'; readonly commands: readonly string[]; readonly stays: boolean; readonly said?: string }

const block = /^```(?<language>\w*)\n(?<code>[\s\S]*?)^```$/gm

/** Steps of a guide in order, to write a file or to run a command: a file is named in the paragraph before its text. */
export function stepsOf(guide: string): Step[] {
  const steps: Step[] = []
  let end = 0
  for (const match of guide.matchAll(block)) {
    const { language = '', code = '' } = match.groups ?? {}
    const paragraph = lastParagraph(guide.slice(end, match.index))
    end = match.index + match[0].length
    const path = /`((?:[\w.-]+\/)*[\w.-]+\.(?:ts|json))`/.exec(paragraph)?.[1]
    const last = steps.at(-1)
    if (language === 'sh')
      steps.push({ kind: 'run', commands: commandsIn(code), stays: /^In one terminal/.test(paragraph) })
    else if (language === '' && paragraph === '' && last?.kind === 'run')
      steps[steps.length - 1] = { ...last, said: code }
    else if (path !== undefined) steps.push({ kind: 'write', path, text: code })
  }
  return steps
}

/** All TypeScript of a guide, which is one file where its blocks build on each other. */
export function programOf(guide: string): string {
  return [...guide.matchAll(block)]
    .filter(({ groups }) => groups?.language === 'ts')
    .map(({ groups }) => groups?.code ?? '')
    .join('\n')
}

function lastParagraph(text: string): string {
  const shown = text.replaceAll(/<!--.*?-->/g, '').trim()
  return shown.split(/\n\n+/).at(-1) ?? ''
}

function commandsIn(code: string): string[] {
  return code.split('\n').filter((line) => line !== '')
}
