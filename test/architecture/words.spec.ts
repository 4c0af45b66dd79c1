import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { packageRoot } from '../../src/persistence/package-root.js';

const root = packageRoot();
const ownPath = 'test/architecture/words.spec.ts';

function filesOf(folder: string, names: RegExp, recursive = true): string[] {
  return readdirSync(join(root, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

const documents = [...filesOf('.', /[.]md$/, false), ...filesOf('docs', /[.]md$/)];
/** They have the texts of clauses and errors, and the names of members. Commands make them. */
const made = ['docs/bank/clauses.md', 'docs/tpp/errors.md', 'docs/tpp/members.md'];
const folders = ['src', 'sandbox', 'packages', 'adapter-tools', 'ops', 'test', 'tools/build', 'scripts'];
const code = /[.](ts|js|mjs|cjs)$/;
/** This file is left out: it contains an example of each pattern. */
const sources = [...folders.flatMap((folder) => filesOf(folder, code)), ...filesOf('.', code, false)].filter(
  (file) => file !== ownPath && !/(^|[/])(node_modules|dist)[/]/.test(file),
);

/** The patterns of English that a reader has to read twice. Each names its remedy. */
const patterns: Readonly<Record<string, RegExp>> = {
  '"what" as a noun: name the thing':
    /(?:^|[,;:(] |\b(?:of|for|to|by|in|on|from|with|than|at|into|about|after|before|over|under|through|and|but|or|only|all|is|are|was|were|be|not|as|says?|sees?|has|have|takes?|keeps?|holds?|gives?|reads?|knows?|tells?|shows?|do|does|out) )what\b(?![^.]*[?])/g,
  '"who" as a noun: the person who': /\b(?:for|to|by|of|from|with) who\b|\b[Ww]hoever\b/g,
  '"nobody" and the like: name the actor': /\b(?:no|some|any|every)body\b/gi,
  '"of its own": delete it':
    /\bof (?:its|our|their|his|her|your|one's) own\b(?=$|[.,;:)!?]| (?:and|or|but|for|with|in|on|to|at|of|which|that|where|while|by|too|is|are|has|have|may|can|than|not)\b)/g,
  'a sentence that begins with "Of"': /(?:^|[.:;!?] )Of\b/g,
  '"is none": does not exist': /\b(?:is|are|was|were) none\b/g,
  '"to be had": name the action': /\b(?:to|can|cannot|could|not) be had\b/g,
  '"anew", "beside", "amid"': /\b(?:anew|beside|amid)\b/gi,
  '"lets go of": releases': /\b(?:lets?|letting) go of\b/g,
  '"hears": receives': /\b(?:hears?|heard)\b/g,
  '"tells of": reports': /\b(?:tells?|told|telling) of\b/g,
  '"another one": repeat the noun': /\banother one\b|\bthe one\b[^.,;]{0,60}\bthe other\b/g,
  '"of before", "the former": the previous X': /\bof before\b|\bthe former\b/gi,
  '"so long": give the quantity': /\bso (?:long|often|many|much)\b(?! as\b)(?![^.;:]* that\b)/g,
  '"it is tried": name the actor': /\bit is (?:tried|looked|waited)\b/g,
};
/** Words for which the field has a plain one. In code (`saw`) they are names. */
const unplainWords: Readonly<Record<string, RegExp>> = {
  '"mend": fix': /\bmend(?:s|ed|ing)?\b/gi,
  '"is over": has ended, resolved when': /\b(?:is|are|was|were) over\b(?=$|[.,;:)]| and\b)/g,
  '"state an outage": plan': /\bstat(?:e|es|ed|ing) (?:an|the) outages?\b|\boutages? (?:is|are|was|were) stated\b/gi,
  '"looked": searched': /\blooked\b/gi,
  '"saw": found': /\bsaw\b/g,
  '"lacking": missing': /\blacking\b/gi,
  '"dropped day": deleted day': /\bdropped days?\b/gi,
  '"reckons": counts': /\breckon(?:s|ed|ing)?\b/gi,
  '"told": informed, shown': /\btold\b/gi,
  '"tells": says, shows, distinguishes': /\btells\b/g,
  '"left out": omitted': /\b(?:left|leaves?|leaving) (?:(?:it|them) )?out\b/gi,
  '"lapses": expires': /\blaps(?:e|es|ed|ing)\b/gi,
  '"is away": is unreachable': /\b(?:is|are|was|were|while|still) (?:still )?away\b/gi,
  '"stands still": hangs': /\b(?:stands?|stood|standing) still\b/gi,
  '"the word on": the statement about': /\bword on\b/gi,
  '"judge": check': /\bjudg(?:e|es|ed|ing)\b/gi,
  '"is no X": is not an X':
    /(?<!\b[Tt]here )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|one\b|such\b|other\b|further\b|…)/g,
  '"lies in": is in': /\bl(?:ies?|ay|ying) (?:in|after|before|outside|inside|behind)\b/g,
  '"takes the place of": replaces': /\b(?:takes?|took|taken|taking) (?:the|its|their) place\b/g,
  '"stays good": is valid': /\b(?:stays?|stayed|still) good\b/g,
  '"of no use": useless, not valid': /\bof no use\b|\bworth nothing\b/g,
};
/** A title is read alone, in a report. */
const numberInTitle =
  /[(]\d+(?:[.]\d+)+[,)]|^\d+(?: before \d+)?: |\b(?:rules?|traps?|[Ss]ections?|[Cc]hecks?|[Dd]ecisions?) \d/g;
const publishedStandard = /\b(?:RFC \d+|X[.]\d+|Security Profile|Core 1[.]0|Advanced),? section [\d.]+/g;

interface Text {
  readonly kind: 'comment' | 'string' | 'title';
  readonly text: string;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Whether the call is `it('…')`, `describe.each(…)('…')` and the like. */
function isTest(call: ts.Expression): boolean {
  if (ts.isIdentifier(call)) return /^(?:it|test|describe)$/.test(call.text);
  if (ts.isConditionalExpression(call)) return isTest(call.whenFalse);
  return (
    (ts.isPropertyAccessExpression(call) || ts.isCallExpression(call) || ts.isParenthesizedExpression(call)) &&
    isTest(call.expression)
  );
}

/** A literal with its pieces on one line; `…` stands for an expression in it. */
function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('');
}

/** The comments, texts and test titles of a source. A literal without a space is a name and no text. */
function textsOf(source: string): Text[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest);
  const texts: Text[] = [];
  let withoutLiterals = source;
  const blank = (node: ts.Node): void => {
    const [from, to] = [node.getStart(file), node.end];
    withoutLiterals = withoutLiterals.slice(0, from) + ' '.repeat(to - from) + withoutLiterals.slice(to);
  };
  const visit = (node: ts.Node, isTitle: boolean): void => {
    const text = literalText(node);
    if (text !== undefined && text.trim().includes(' '))
      texts.push({ kind: isTitle ? 'title' : 'string', text: oneLine(text) });
    if (ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) blank(node);
    const title = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments[0] : undefined;
    ts.forEachChild(node, (child) => {
      visit(child, child === title);
    });
  };
  visit(file, false);
  return [...texts, ...commentsOf(withoutLiterals).map((text) => ({ kind: 'comment' as const, text }))];
}

/** Each comment on one line, without its asterisks and tags. */
function commentsOf(source: string): string[] {
  const comments = source.matchAll(/\/\*[^]*?\*\/|\/\/.*(?:\n\s*\/\/.*)*/g);
  return [...comments].flatMap(([comment]) =>
    comment
      .replace(/^\/\*\*?|\*\/$/g, '')
      .replace(/^\s*(?:\*|\/\/) ?/gm, '')
      .split(/^\s*(?:@param \w+|@\w+|-) |\n\s*\n/gm)
      .map(oneLine),
  );
}

/** The text of a document without its code and headings, each paragraph, list item and cell of a table on its own line. */
function proseOf(document: string): string[] {
  return document
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/^#.*$/gm, '')
    .replace(/`[^`]*`/g, '`…`')
    .split(/\n\s*\n|^\s*(?:[-*]|\d+\.) |\|/gm)
    .map(oneLine);
}

/** The patterns that a text contains, each with the words around it. */
function matchesOf(text: string, of: Readonly<Record<string, RegExp>>): string[] {
  const plain = text.replace(/`[^`]*`/g, '`…`');
  return Object.entries(of).flatMap(([name, pattern]) =>
    [...plain.matchAll(pattern)].map(({ index }) => `${name}: ${plain.slice(Math.max(0, index - 20), index + 60)}`),
  );
}

function hardWords({ kind, text }: Text): string[] {
  const found = matchesOf(text, patterns);
  const numbers = kind === 'title' ? [...text.replace(publishedStandard, '').matchAll(numberInTitle)] : [];
  return [...found, ...numbers.map(([number]) => `a number in a title: ${number}`)];
}

/** The sentences whose subject is a clause: the reader meets the actor late or never. A question may start so. */
function hiddenActors(text: string): string[] {
  const sentences = text.matchAll(/(?<=^|[.:;!?] )((?:What|Who|Whoever|Whatever|Whichever) [^.?!]*[.?!]?)/g);
  return [...sentences].flatMap(([, sentence = '']) => (sentence.endsWith('?') ? [] : [sentence]));
}

/** The citations by a number that only a document outside of the repository has. A published standard may be cited. */
function outsideCitations(text: string): string[] {
  const numbered = text.matchAll(
    /(?<!(?:RFC \d+|X\.\d+|ETSI TS [\d ]*\d|FAPI 1.0 Advanced|FAPI 2.0 Security Profile|OpenID Connect Core 1.0|Content Security Policy Level 3),? )\b(?:[Ss]ections? \d[\d.]*|[Cc]hecks? \d+|[Dd]ecisions? \d+|standard-facts|design\.md)/g,
  );
  return [...numbered].map(([citation]) => citation);
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const textsByFile = new Map<string, readonly Text[]>([
  ...sources.map((file) => [file, textsOf(read(file))] as const),
  ...documents.map((file) => [file, proseOf(read(file)).map((text): Text => ({ kind: 'comment', text }))] as const),
]);

/** A phrase that has a reason to stay in a file. */
const allowed: readonly { readonly file: string; readonly phrase: string; readonly reason: string }[] = [
  {
    file: 'test/operations/own-repository.nightly.spec.ts',
    phrase: 'nobody',
    reason: 'the name of the sample adapter',
  },
  ...['obody', 'anybody', 'another one', 'what'].map((phrase) => ({
    file: 'src/authorisation-server/pages/texts/english.ts',
    phrase,
    reason: 'customers read these sentences as the bank would say them',
  })),
  ...['Nobody has access', 'what Copper Budget'].map((phrase) => ({
    file: 'test/customer-pages/pages.spec.ts',
    phrase,
    reason: 'it quotes a text of the pages',
  })),
];

const isAllowed = (file: string, line: string): boolean =>
  allowed.some((entry) => entry.file === file && line.includes(entry.phrase));
const found = [...textsByFile].flatMap(([file, texts]) =>
  texts
    .flatMap(hardWords)
    .filter((line) => !isAllowed(file, line))
    .map((line) => `${file}: ${line}`),
);

const findings = (faultsOf: (text: string) => string[], ofFile: (file: string) => boolean): string[] =>
  [...textsByFile].flatMap(([file, texts]) =>
    ofFile(file)
      ? texts
          .filter(({ kind }) => kind === 'comment')
          .flatMap(({ text }) => faultsOf(text))
          .map((sentence) => `${file}: ${sentence}`)
      : [],
  );

describe('the words of the project', () => {
  it.each(documents)('%s names the actor of each sentence and cites by name', (document) => {
    expect(findings(hiddenActors, (file) => file === document)).toEqual([]);
    expect(findings(outsideCitations, (file) => file === document)).toEqual([]);
  });

  it('comments name the actor of each sentence', () => {
    expect(findings(hiddenActors, (file) => code.test(file))).toEqual([]);
  });

  it.each(documents.filter((document) => !made.includes(document)))(
    '%s has the plain words of the field',
    (document) => {
      expect(
        findings(
          (text) => matchesOf(text, unplainWords),
          (file) => file === document,
        ),
      ).toEqual([]);
    },
  );

  it.each(['src/', 'ops/', 'packages/', 'adapter-tools/', 'sandbox/', 'scripts/'])(
    'comments, titles and texts for people below %s have the plain words of the field',
    (room) => {
      const texts = [...textsByFile].flatMap(([file, all]) =>
        file.startsWith(room) ? all.filter(({ kind }) => kind !== 'string' || !file.endsWith('.spec.ts')) : [],
      );
      expect(texts.flatMap(({ text }) => matchesOf(text, unplainWords))).toEqual([]);
    },
  );

  it('test titles have the plain words of the field', () => {
    const titles = [...textsByFile].flatMap(([file, texts]) =>
      /^test[/](?!adapter-kit[/])/.test(file) ? texts.filter(({ kind }) => kind === 'title') : [],
    );
    expect(titles.flatMap(({ text }) => matchesOf(text, unplainWords))).toEqual([]);
  });

  it('comments cite the repository and published standards, by name', () => {
    expect(findings(outsideCitations, (file) => code.test(file))).toEqual([]);
  });

  it('comments, texts, test titles and documents avoid the patterns that are hard to read', () => {
    expect(found).toEqual([]);
  });

  it.each(allowed)('$file still needs its allowed phrase "$phrase": $reason', ({ file, phrase }) => {
    expect((textsByFile.get(file) ?? []).flatMap(hardWords)).toContainEqual(expect.stringContaining(phrase));
  });
});

describe('the check of words', () => {
  const examples: [string, string[]][] = [
    ['"what" as a noun: name the thing', ['It shows what is left.', 'what the bank sends', 'Rows, what they mean']],
    ['"who" as a noun: the person who', ['A line for who gave it.', 'It serves whoever asks.']],
    ['"nobody" and the like: name the actor', ['Nobody waits.', 'A port that somebody has.']],
    ['"of its own": delete it', ['A port of its own.', 'pages of our own']],
    ['a sentence that begins with "Of"', ['Of two writers one wins.', 'It waits. Of all rows, none is read.']],
    ['"is none": does not exist', ['The row, where there is none.']],
    ['"to be had": name the action', ['The keys cannot be had.', 'The rest is still to be had.']],
    ['"anew", "beside", "amid"', ['It begins anew.', 'The key beside it.', 'Amid a handshake it fails.']],
    ['"lets go of": releases', ['It lets go of the file.']],
    ['"hears": receives', ['The gateway hears it.']],
    ['"tells of": reports', ['The log tells of it.']],
    ['"another one": repeat the noun', ['The bank takes another one.', 'the one waits for the other']],
    ['"of before", "the former": the previous X', ['The keys of before.', 'the former key']],
    ['"so long": give the quantity', ['It waits so long.', 'At most so many connections are open.']],
    ['"it is tried": name the actor', ['Then it is tried again.']],
  ];
  const unplain = [
    ['mend', 'The operator mends the disk.'],
    ['is over', 'Once the fault is over, restart it.'],
    ['state an outage', 'State an outage before it begins.'],
    ['looked', 'The command looked for it.'],
    ['saw', 'It names the instances that it saw.'],
    ['lacking', 'A day is lacking.'],
    ['dropped day', 'A dropped day has a record.'],
    ['reckons', 'It reckons with two.'],
    ['told', 'The TPP is told so.'],
    ['tells', 'The page tells the number.'],
    ['left out', 'The core leaves it out.'],
    ['lapses', 'The consent lapsed.'],
    ['is away', 'While the core is away, it waits.'],
    ['stands still', 'A process that stands still'],
    ['the word on', 'the directory’s word on the TPP'],
    ['judge', 'A kit judges the adapter.'],
    ['is no X', 'The text is no date.'],
    ['lies in', 'The date lies in the past.'],
    ['takes the place of', 'A later token takes the place of this one.'],
    ['stays good', 'The code stays good.'],
    ['of no use', 'The token is of no use.'],
  ] as const;
  const namesOf = (source: string): string[] => textsOf(source).flatMap(hardWords);

  it('has an example of each pattern', () => {
    expect(examples.map(([name]) => name)).toEqual(Object.keys(patterns));
  });

  it('has an example of each word that is not plain', () => {
    expect(unplain.map(([word]) => `"${word}"`)).toEqual(Object.keys(unplainWords).map((name) => name.split(':')[0]));
  });

  it.each(unplain)('finds "%s" in "%s"', (word, sentence) => {
    expect(matchesOf(sentence, unplainWords)).toEqual([expect.stringContaining(`"${word}": `)]);
  });

  it('accepts names in code, and plain words that are spelt alike', () => {
    const text = 'Members of `saw`: it moves away from the overlap, looks at the page, and is over 100 bytes.';
    expect(matchesOf(text, unplainWords)).toEqual([]);
  });

  describe.each(examples)('finds %s', (name, sentences) => {
    it.each<[string, (words: string) => string]>([
      ['a line comment', (words) => `x(); // ${words}`],
      ['a comment of a declaration', (words) => `/**\n * A rule.\n * @param x ${words}\n */`],
      ['a string', (words) => `log.warn("${words}");`],
      ['a template', (words) => `throw new Error(\`\${x} ${words}\`);`.replace('${x} ', '')],
      ['the end of a template', (words) => `throw new Error(\`\${file}: ${words}\`);`],
      ['the title of a test', (words) => `it.each([1])("${words}", () => undefined);`],
    ])('in %s', (_place, sourceOf) => {
      for (const sentence of sentences)
        expect(namesOf(sourceOf(sentence))).toContainEqual(expect.stringContaining(`${name}: `));
    });

    it('in a document', () => {
      for (const sentence of sentences)
        for (const prose of [sentence, `- ${sentence}`, `| a b | ${sentence} |`])
          expect(proseOf(prose).flatMap((text) => hardWords({ kind: 'comment', text }))).toContainEqual(
            expect.stringContaining(`${name}: `),
          );
    });
  });

  it.each([
    'toBalance (2.3)',
    'refuses a token (section 5, rule 3)',
    '4 before 5: token',
    'decision 14',
    'trap 3: x y',
  ])('finds the number of a section in the test title "%s"', (title) => {
    expect(namesOf(`describe('${title}, a title', () => undefined);`)).not.toEqual([]);
    expect(namesOf(`describe.each([])('${title}, a title', () => undefined);`)).not.toEqual([]);
  });

  it.each([
    'const url = "https://bank.example/somebody";',
    'const pattern = /nobody waits/;',
    "it('answers as RFC 7662, section 2.2, demands', () => undefined);",
    '// What is meant here? The time, so that no one waits so long that it fails.',
    '// The rows of the account: as long as the bank keeps `what is left`.',
  ])('accepts %s', (source) => {
    expect(namesOf(source)).toEqual([]);
  });

  it('finds the sentences that hide the actor, in comments and in documents', () => {
    const words = 'Who asks is told. What is meant? Whatever is late is left out.';
    const hidden = ['Who asks is told.', 'Whatever is late is left out.'];
    for (const comment of [`/** ${words} */`, `x(); // ${words}`, `/**\n * A rule.\n * @param x ${words}\n */`])
      expect(commentsOf(comment).flatMap(hiddenActors)).toEqual(hidden);
    for (const prose of [words, `- ${words}`, `| ${words} | b |`, `A rule. ${words}`])
      expect(proseOf(prose).flatMap(hiddenActors)).toEqual(hidden);
    expect(proseOf(`\`\`\`\n${words}\n\`\`\``).flatMap(hiddenActors)).toEqual([]);
  });

  it('finds citations of documents that the reader does not have', () => {
    expect(outsideCitations('As section 2.1 and Check 4 say (standard-facts).')).toEqual([
      'section 2.1',
      'Check 4',
      'standard-facts',
    ]);
    expect(outsideCitations('RFC 6265, section 5.1.4, and docs/specification.md, section "Party"')).toEqual([]);
  });
});
