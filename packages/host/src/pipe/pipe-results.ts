import type { Fields } from '@trunkline/mcp'
import type { CheckedPlan } from './check-plan.ts'
import { callsIn } from './pipe-runs.ts'
import { type PipeReport, reportText } from './report.ts'

/** The result of a run that came to its end: the output, and how far each step came. */
export function doneResult(output: unknown, report: PipeReport | undefined): Fields {
  const text = typeof output === 'string' ? output : JSON.stringify(output)
  return { content: [{ type: 'text', text }], structuredContent: { ...report, output } }
}

/** The result of a run that was stopped: the finished calls, the others, and the reason. */
export function stoppedResult(report: PipeReport | undefined): Fields {
  return { ...failedResult(report ? reportText(report) : 'The run was stopped'), structuredContent: { ...report } }
}

/** Report on a run, for a caller that asks afterwards. */
export function reportResult(report: PipeReport | undefined): Fields {
  if (!report) return failedResult('There is no such run of yours, or it was forgotten meanwhile')
  return { content: [{ type: 'text', text: reportText(report) }], structuredContent: { ...report } }
}

/** The calls that a valid plan would make. */
export function checkedResult({ plan, tools }: CheckedPlan): Fields {
  const facts = [...tools.values()]
  const steps = callsIn(plan.steps).map(([step, name]) => {
    const tool = facts.find((one) => one.name === name)
    return { step, tool: name, server: tool?.server, class: tool?.class }
  })
  const lines = steps.map(
    ({ step, tool, server, class: kind }) => `${step}: calls "${tool}" of server "${server}" (${kind})`,
  )
  const text = ['The plan fits together; nothing was called', ...lines].join('\n')
  return { content: [{ type: 'text', text }], structuredContent: { state: 'checked', steps } }
}

/** A plan that was not run; nothing was called. */
export function failedResult(text: string, problems: readonly object[] = []): Fields {
  return { content: [{ type: 'text', text }], isError: true, structuredContent: { state: 'refused', problems } }
}
