/** Marks that run, leave or mislead on a page that takes text for markup. */
export const hostileMarks = [
  '<script>window.pwned=1</script>',
  '<img src="https://evil.test/pixel" onerror="window.pwned=1">',
  '<svg onload="window.pwned=1"><a href="javascript:window.pwned=1">x</a></svg>',
  '"><iframe srcdoc="<script>parent.pwned=1</script>"></iframe>',
  '![pixel](https://evil.test/pixel.png) [click](javascript:window.pwned=1)',
  '**bold** [bank](https://xn--pypal-4ve.example/) <style>*{display:none}</style>',
  'user\u202etxt.exe and pass\u200bword \u{e0041}',
  '\u001b[2J\u001b]8;;https://evil.test\u0007link\u001b]8;;\u0007',
  '{{constructor.constructor("window.pwned=1")()}}',
] as const
