import { Controller } from '@nestjs/common';
import { listController } from '../list.controller.js';
import { product } from './product.endpoint.js';

@Controller()
export class ProductController extends listController(product) {}
