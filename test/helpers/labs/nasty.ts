// Names that strangers could give to things, to be shown in a message as text and nothing else.
export const nastyValues: readonly string[] = [
  'a\r\nBcc: evil@example.org\r\n\r\nbody',
  'a\nRCPT TO:<evil@example.org>\n.\nMAIL FROM:<>',
  '<!channel> <!everyone> <@U123> <#C123>',
  '@everyone @here @channel @all <@&123> <@123>',
  '[click](http://evil.example) ![x](https://evil.example/x.png)',
  '](http://evil.example)',
  '<a href="http://evil.example">x</a><script>alert(1)</script>',
  '</b></code> & &lt;b&gt; "\' onmouseover=x',
  '\u202egpj.exe\u202c \u2066x\u2069 \u200b\ufeff',
  '"] x [evil@1 a="b"] <13>1 - - evil - - - forged',
  'x|y|CEF:0|evil src=10.0.0.1 cs1=z\\|\\= ^src=10.0.0.2^\tx',
  '{{DATE(2017-02-14T06:00:00Z, SHORT)}} {{title}} {amount}',
  '`code` ```block``` *bold* _it_ ~no~ ||spoiler|| # head > quote',
  '\u0000\u0007\u001b[31mred\u009b',
  '$(reboot) `reboot` ; rm -rf / && x | y > z \'"',
  '-rf',
  'x'.repeat(4_096),
  '👨‍👩‍👧'.repeat(600),
  `e${'\u0301'.repeat(4_000)}`,
  '\ud800lone\udfff',
]

/** What nobody may find: what ends a line, or turns its direction. */
const always: readonly RegExp[] = [
  /[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what it is about.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/,
]
/** What chats make mentions and links of. */
const inChats = [...always, /@(?:everyone|here|channel|all)\b/, /https?:\/\/evil\.example/]

/** What may not be found by what the receiver reads. */
export const forbidden = {
  nothing: always,
  runs: [...inChats, /\{\{/],
  slack: [...inChats, /<[!@#]/, /<script/],
  markdown: [...inChats, /(?<!\\)\]\(/, /</, /(?<!\\)[`*_|]/],
  html: [
    ...inChats,
    /<(?!\/?b>|a href="https:\/\/ddos\.example\.net(?:\/events\/[0-9a-f]{24})?">|\/a>)/,
    /&(?!amp;|lt;|gt;|quot;|#39;)/,
  ],
} as const
