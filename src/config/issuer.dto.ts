import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  Min,
  MinLength,
  NotEquals,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { embeddedIssuer, issuerName } from '../open-banking/tpp-id.js';
import { keySetSource } from './key-set-source.js';
import { defaultClaims, tokenAlgorithms, tokenBindings, type TokenAlgorithm, type TokenBinding } from './config.js';

export const issuerNameFault = '$property must be 1 to 1,000 printable ASCII characters without a space';
export const embeddedNameFault = `$property must not be ${embeddedIssuer}: TPPs of the embedded authorization server have this issuer`;

/** The gateway can authenticate there by mutual TLS only, so the URL must have the scheme https. */
const tlsUrl = { require_tld: false, require_protocol: true, protocols: ['https'] };

class ClaimNames {
  @IsString() @MinLength(1) consentId = defaultClaims.consentId;
  @IsString()
  @MinLength(1)
  @NotEquals('iat', { message: 'authenticationTime must not be iat: each refresh would reopen the window' })
  authenticationTime = defaultClaims.authenticationTime;
  @IsString() @MinLength(1) acr = defaultClaims.acr;
  @IsString() @MinLength(1) clientId = defaultClaims.clientId;
  @IsString() @MinLength(1) subject = defaultClaims.subject;
}

class Introspection {
  @IsUrl(tlsUrl, { message: 'url must be an https URL' }) url!: string;
  @IsString() @MinLength(1) clientId!: string;
  @IsString() @MinLength(1) certificateFile!: string;
  @IsString() @MinLength(1) keyFile!: string;
  @IsString() @MinLength(1) caFile!: string;
  @IsInt() @Min(0) @Max(60) cacheSeconds = 10;
}

/** One entry of the ISSUERS_FILE: its JSON, with the defaults. */
export class Issuer {
  @Matches(issuerName, { message: issuerNameFault })
  @NotEquals(embeddedIssuer, { message: embeddedNameFault })
  issuer!: string;
  @IsString() @MinLength(1) audience!: string;
  @IsIn(tokenBindings) binding!: TokenBinding;

  @IsOptional()
  @Matches(keySetSource, { message: 'jwks must be an https URL, an http URL of this machine, or a file' })
  jwks?: string;
  @IsOptional() @IsString() @MinLength(1) jwksCaFile?: string;
  @ValidateIf(({ jwks }: Issuer) => jwks !== undefined)
  @IsArray()
  @ArrayNotEmpty()
  @IsIn(tokenAlgorithms, { each: true })
  algorithms?: TokenAlgorithm[];
  @IsOptional() @Matches(/^[\w.+-]+(\/[\w.+-]+)?$/, { message: 'typ must be a media type, e.g. at+jwt' }) typ?: string;

  @IsOptional() @IsObject() @ValidateNested() @Type(() => Introspection) introspection?: Introspection;

  @IsObject() @ValidateNested() @Type(() => ClaimNames) claims = new ClaimNames();
  @IsOptional() @IsArray() @ArrayNotEmpty() @IsString({ each: true }) acrValues?: string[];
  @IsBoolean() subjectIsCustomer = false;
}
