import { readFileSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { BootError } from '../../../config/boot-error.js';
import type { BankLanguage } from '../texts/languages.js';
import { checkedBrand, logoTypes, type Brand, type BrandLogo, type LogoType } from './brand.js';

const largestLogoBytes = 256 * 1024;

/**
 * The brand of a JSON file `{ "name", "colours"?: { ... }, "logo"?: "logo.svg", "startPage"?: "https://...", "languages"?: ["polish.json"] }`; paths are
 * relative to it.
 *
 * @throws BootError when the file or its content is not usable.
 */
export function readBrandFile(path: string): Brand {
  const content = parsed(path);
  const unknown = Object.keys(content).filter(
    (key) => !['name', 'colours', 'logo', 'startPage', 'languages'].includes(key),
  );
  if (unknown.length > 0) throw new BootError(`brand: ${unknown.join(', ')} is not a setting of the brand’s file`);
  const { name, colours, logo, startPage, languages } = content;
  if (typeof name !== 'string') throw new BootError('brand: name must be a text');
  if (colours !== undefined && !isObject(colours)) throw new BootError('brand: colours must be an object');
  if (logo !== undefined && typeof logo !== 'string') throw new BootError('brand: logo must be the path of an image');
  if (startPage !== undefined && typeof startPage !== 'string') throw new BootError('brand: startPage must be a URL');
  if (languages !== undefined && !isTexts(languages)) throw new BootError('brand: languages must be a list of paths');
  return checkedBrand({
    name,
    ...(colours && { colours }),
    ...(logo !== undefined && { logo: readLogo(resolve(dirname(path), logo)) }),
    ...(startPage !== undefined && { startPage }),
    ...(languages !== undefined && { languages: languages.map((file) => readLanguage(resolve(dirname(path), file))) }),
  });
}

/** A JSON file `{ "language": "pl-PL", "texts": { "sign-in.title": "..." } }`. */
function readLanguage(path: string): BankLanguage {
  const source = `brand: language ${basename(path)}`;
  const { language: locale, texts, ...unknown } = parsed(path, `${source}: the`);
  if (typeof locale !== 'string' || !isObject(texts) || Object.keys(unknown).length > 0)
    throw new BootError(`${source}: the file must hold "language" and "texts", and nothing else`);
  return { source, locale, texts };
}

function parsed(path: string, whose = 'brand: its'): Record<string, unknown> {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(content)) return content;
  } catch (error) {
    throw new BootError(`${whose} file is not ${error instanceof SyntaxError ? 'valid JSON' : 'readable'}`, {
      cause: error,
    });
  }
  throw new BootError(`${whose} file must hold a JSON object`);
}

function readLogo(path: string): BrandLogo {
  const ending = extname(path).slice(1).toLowerCase();
  const contentType = (Object.keys(logoTypes) as LogoType[]).find((type) => logoTypes[type] === ending);
  if (contentType === undefined)
    throw new BootError(`brand: logo must be one of ${Object.values(logoTypes).join(', ')}`);
  const body = readImage(path);
  if (body.length > largestLogoBytes) throw new BootError('brand: logo must not be larger than 256 KiB');
  return { contentType, body };
}

function readImage(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new BootError('brand: logo is not a readable file', { cause: error });
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
