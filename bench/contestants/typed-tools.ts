/** A schema for each of many tools, no two alike, so that the type checker cannot reuse its work. */
export function typedSchemas(tools: number): string {
  return numbers(tools)
    .map((n) => `const input${n} = z.object({ text${n}: z.string(), count${n}: z.number().optional() })`)
    .join('\n')
}

/** One line for each tool. */
export function typedTools(tools: number, line: (n: number) => string): string {
  return numbers(tools).map(line).join('\n')
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
