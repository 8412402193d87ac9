//! Values on their way between the author's types and the bindings'.
//!
//! What the macro calls; the author's own types get their implementations from
//! it.

/// A type that parameters are made of.
pub trait Lift {
    /// The same in the bindings.
    type Wire;

    /// Takes a value of the bindings.
    fn lift(wire: Self::Wire) -> Self;
}

/// A type that results are made of.
pub trait Lower {
    /// The same in the bindings.
    type Wire;

    /// Gives a value to the bindings.
    fn lower(self) -> Self::Wire;
}

macro_rules! same {
    ($($ty:ty),*) => {$(
        impl Lift for $ty {
            type Wire = Self;

            fn lift(wire: Self) -> Self {
                wire
            }
        }

        impl Lower for $ty {
            type Wire = Self;

            fn lower(self) -> Self {
                self
            }
        }
    )*};
}

same!(
    (),
    bool,
    u8,
    u16,
    u32,
    u64,
    i8,
    i16,
    i32,
    i64,
    f32,
    f64,
    char,
    String
);

// Where nothing changes, as in `Vec<u8>`, collecting in place costs nothing.
impl<T: Lift> Lift for Vec<T> {
    type Wire = Vec<T::Wire>;

    fn lift(wire: Self::Wire) -> Self {
        wire.into_iter().map(T::lift).collect()
    }
}

impl<T: Lower> Lower for Vec<T> {
    type Wire = Vec<T::Wire>;

    fn lower(self) -> Self::Wire {
        self.into_iter().map(T::lower).collect()
    }
}

impl<T: Lift> Lift for Option<T> {
    type Wire = Option<T::Wire>;

    fn lift(wire: Self::Wire) -> Self {
        wire.map(T::lift)
    }
}

impl<T: Lower> Lower for Option<T> {
    type Wire = Option<T::Wire>;

    fn lower(self) -> Self::Wire {
        self.map(T::lower)
    }
}

impl<T: Lift, E: Lift> Lift for Result<T, E> {
    type Wire = Result<T::Wire, E::Wire>;

    fn lift(wire: Self::Wire) -> Self {
        wire.map(T::lift).map_err(E::lift)
    }
}

impl<T: Lower, E: Lower> Lower for Result<T, E> {
    type Wire = Result<T::Wire, E::Wire>;

    fn lower(self) -> Self::Wire {
        self.map(T::lower).map_err(E::lower)
    }
}

macro_rules! tuple {
    ($($name:ident)*) => {
        #[allow(non_snake_case, reason = "a part is called as its type is")]
        impl<$($name: Lift),*> Lift for ($($name,)*) {
            type Wire = ($($name::Wire,)*);

            fn lift(($($name,)*): Self::Wire) -> Self {
                ($($name::lift($name),)*)
            }
        }

        #[allow(non_snake_case, reason = "a part is called as its type is")]
        impl<$($name: Lower),*> Lower for ($($name,)*) {
            type Wire = ($($name::Wire,)*);

            fn lower(self) -> Self::Wire {
                let ($($name,)*) = self;
                ($($name.lower(),)*)
            }
        }
    };
}

tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);
tuple!(A B C D E F);
tuple!(A B C D E F G);
tuple!(A B C D E F G H);
