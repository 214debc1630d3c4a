//! Tables in Parquet, written in row groups.

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type, ZstdLevel};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, Type as SchemaType};
use std::io::{self, Write};
use std::sync::Arc;

/// A column whose values may be absent.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// How its values are stored.
    pub physical: Type,
    /// What they mean, if that is not clear from how they are stored.
    pub logical: Option<LogicalType>,
    /// How they are written, if not as indices of a dictionary; some readers know few encodings.
    pub encoding: Option<Encoding>,
}

/// A table in an output, compressed with zstd. `metadata` is a key with its value.
///
/// # Errors
/// Those of the output.
pub fn create<W: Write + Send>(
    output: W,
    name: &str,
    columns: Vec<Column>,
    metadata: (&str, String),
) -> io::Result<SerializedFileWriter<W>> {
    let level = ZstdLevel::try_new(zstd::DEFAULT_COMPRESSION_LEVEL).map_err(io_error)?;
    let metadata = KeyValue::new(metadata.0.to_owned(), metadata.1);
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_key_value_metadata(Some(vec![metadata]));
    let mut fields = Vec::new();
    for column in columns {
        if let Some(encoding) = column.encoding {
            let path = ColumnPath::from(column.name);
            properties = properties
                .set_column_dictionary_enabled(path.clone(), false)
                .set_column_encoding(path, encoding);
        }
        let field = SchemaType::primitive_type_builder(column.name, column.physical)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(column.logical);
        fields.push(Arc::new(field.build().map_err(io_error)?));
    }
    let schema = SchemaType::group_type_builder(name).with_fields(fields);
    let schema = Arc::new(schema.build().map_err(io_error)?);
    SerializedFileWriter::new(output, schema, Arc::new(properties.build())).map_err(io_error)
}

/// Writes the next column of a row group.
///
/// # Errors
/// Those of the output.
pub fn put<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let mut present = Vec::new();
    let levels = values.map(|value| {
        let level = i16::from(value.is_some());
        present.extend(value);
        level
    });
    let levels: Vec<i16> = levels.collect();
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("a column is missing".into()));
    };
    column
        .typed::<T>()
        .write_batch(&present, Some(&levels), None)?;
    column.close()
}

/// The same error, as one of an output.
pub fn io_error(error: ParquetError) -> io::Error {
    io::Error::other(error)
}
